import { isObject, type JsonObject } from '@/lib/json/value';
import { textHash } from '@/lib/wire/text-hash';
import type { ChatSettings, OfferedTool } from './chat-frame';
import type { ModelTool } from './model';

/**
 * Pattern of a tool's name for the model. A single server leaves out `{server?}` and what stands between it and
 * `{tool}`; several have it as `{server}`, as most hosts do.
 */
export const USUAL_NAMING = '{server?}__{tool}';
/** The pattern of recorded chats that have none. */
export const EARLIER_NAMING = '{server}__{tool}';

/**
 * Most characters of a name. OpenAI, Bedrock and Vertex accept 64, Anthropic 128, and all accept ASCII letters, digits,
 * `_` and `-`, with a letter or `_` at the start.
 */
const MOST_NAME_CHARS = 64;
/** The part of a pattern that a single server leaves out. */
const LEFT_OUT = /\{server\?\}(?:[^{]*(?=\{tool\}))?/g;
const REFUSED = /[^A-Za-z0-9_-]/gu;
const GOOD_START = /^[A-Za-z_]/;

/** One server's name and tools. */
export interface ListedTools {
  readonly server: string;
  readonly tools: readonly ModelTool[];
}

/** Returns what is wrong with a pattern; undefined for a valid one. */
export function namingProblem(pattern: string): string | undefined {
  return pattern.includes('{tool}') ? undefined : 'The pattern must contain {tool}.';
}

/**
 * Returns the tools of servers, each with a name that every provider accepts and that no other tool has. If tools would
 * get the same name, each gets a suffix made from its server and name. So a name never passes from one tool to another.
 * A withheld tool is left out by its qualified name, with its suffix and without.
 */
export function offerTools(
  listed: readonly ListedTools[],
  naming = USUAL_NAMING,
  withheld: readonly string[] = [],
): OfferedTool[] {
  const pattern = namingProblem(naming) === undefined ? naming : USUAL_NAMING;
  const qualified = namedTools(listed, pattern.replaceAll('{server?}', '{server}'));
  const own = listed.length === 1 ? namedTools(listed, pattern.replace(LEFT_OUT, '')) : qualified;
  const hidden = new Set(withheld);
  return qualified.flatMap(({ server, tool, name: full, known }, index): OfferedTool[] => {
    if (known.some((one) => hidden.has(one))) return [];
    const { name } = own[index]!;
    return [
      {
        name,
        ...(name !== full && { qualified: full }),
        server,
        tool: tool.name,
        ...(typeof tool.description === 'string' && { description: tool.description }),
        inputSchema: isObject(tool.inputSchema) ? tool.inputSchema : ANYTHING,
        readOnly: isObject(tool.annotations) && tool.annotations.readOnlyHint === true,
      },
    ];
  });
}

interface NamedTool {
  readonly server: string;
  readonly tool: ModelTool;
  /** Unique among all. */
  readonly name: string;
  /** Its name, with a suffix and without. */
  readonly known: readonly string[];
}

function namedTools(listed: readonly ListedTools[], pattern: string): readonly NamedTool[] {
  const named = listed.flatMap(({ server, tools }) =>
    tools.map((tool) => {
      const name = nameFor(pattern, server, tool.name);
      return { server, tool, name, suffixed: withSuffix(name, shortHash(server, tool.name)) };
    }),
  );
  const owners = new Map<string, Set<string>>();
  for (const { server, tool, name } of named) {
    owners.set(name, (owners.get(name) ?? new Set()).add(JSON.stringify([server, tool.name])));
  }
  const collides = ({ name }: { readonly name: string }) => owners.get(name)!.size > 1;
  const suffixedNames = new Set(named.filter(collides).map(({ suffixed }) => suffixed));
  const keeps = (entry: { readonly name: string }) => !collides(entry) && !suffixedNames.has(entry.name);
  const kept = new Set(named.filter(keeps).map(({ name }) => name));
  const taken = new Set<string>();
  return named.map((entry) => {
    const { server, tool, suffixed } = entry;
    const isFree = (name: string) => !taken.has(name) && !kept.has(name);
    let name = keeps(entry) && !taken.has(entry.name) ? entry.name : suffixed;
    // A server may list a tool twice.
    for (let number = 2; name !== entry.name && !isFree(name); number++) {
      name = withSuffix(entry.name, `${shortHash(server, tool.name)}_${number}`);
    }
    taken.add(name);
    return { server, tool, name, known: [name, entry.name, suffixed] };
  });
}

const ANYTHING: JsonObject = { type: 'object' };

/** Returns settings that say how tools are named, as recordings need it. */
export function withNaming({ naming = USUAL_NAMING, ...settings }: ChatSettings): ChatSettings {
  return { naming, ...settings };
}

/** Returns the name that settings keep: it stays the same when servers join. */
export function qualifiedName({ name, qualified = name }: OfferedTool): string {
  return qualified;
}

/** Returns the names that a person may write for a tool: the model's, the qualified one, and its server's. */
export function writtenNames(tool: OfferedTool): readonly string[] {
  return [tool.name, qualifiedName(tool), tool.tool];
}

/** Returns the tool with a name that a person wrote. A name that the model sees comes before that of a server. */
export function toolWritten(tools: readonly OfferedTool[], name: string): OfferedTool | undefined {
  return (
    toolNamed(tools, name) ??
    tools.find((tool) => qualifiedName(tool) === name) ??
    tools.find(({ tool }) => tool === name)
  );
}

/** Returns the tool with a name that a model wrote. */
export function toolNamed(tools: readonly OfferedTool[], name: string): OfferedTool | undefined {
  return tools.find((tool) => tool.name === name);
}

function nameFor(pattern: string, server: string, tool: string): string {
  // A function, because `$&` in a name means something to replace.
  const full = pattern.replace(/\{(server|tool)\}/g, (_, word) => (word === 'server' ? server : tool));
  const clean = full.replace(REFUSED, '_');
  const started = GOOD_START.test(clean) ? clean : `_${clean}`;
  return started.length > MOST_NAME_CHARS ? withSuffix(started, shortHash(server, tool)) : started;
}

function withSuffix(name: string, suffix: string): string {
  return `${name.slice(0, MOST_NAME_CHARS - suffix.length - 1)}_${suffix}`;
}

/** Returns up to seven letters and digits. */
function shortHash(server: string, tool: string): string {
  const [, first] = textHash(`${server}\0${tool}`).split(' ');
  return (Number(first) >>> 0).toString(36);
}
