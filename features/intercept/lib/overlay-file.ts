import { isRecord } from '@/lib/json/edit';
import { parseExactJson, stringifyJson } from '@/lib/json/exact';
import { formatPath } from '@/lib/json/outline-path';
import { parseBounded, withoutBom } from '@/lib/json/parse';
import { typeWords } from '@/lib/json/type-words';
import type { JsonObject } from '@/lib/json/value';
import { docsUrl } from '@/lib/wire/docs-url';
import type { Failure } from '@/lib/wire/lifecycle';

/**
 * How a host sees a tool: a JSON Merge Patch (RFC 7396) of the server's definition, in which null removes a member.
 * `hidden` leaves the tool out.
 */
export interface ToolChange {
  readonly name?: string;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly inputSchema?: JsonObject;
  readonly annotations?: JsonObject | null;
  readonly hidden?: boolean;
}

/** An overlay as its file has it. */
export interface OverlayFile {
  /** By the server's name of the tool. Only own properties count: a tool can be called `__proto__`. */
  readonly tools: Readonly<Record<string, ToolChange>>;
}

/** Characters of an overlay file. It is sent as one command, and logged. */
export const OVERLAY_CHARS = 1_000_000;
/** Tools that an overlay changes. */
const MOST_TOOLS = 5000;
/** Characters of a name that an error repeats. */
const SHOWN = 200;

/** Thrown for a text that is not an overlay. The message is a sentence that names the place. */
export class OverlayError extends Error implements Failure {
  readonly code = 'bad-overlay';
  readonly advice = `Correct the overlay. ${docsUrl('overlay')} describes it.`;

  constructor(sentence: string) {
    super(sentence);
    this.name = 'OverlayError';
  }
}

type MemberCheck = (value: unknown) => string | undefined;

/** Returns a check that accepts values of some kinds, and otherwise says what was expected. */
function accepts(words: string, test: (value: unknown) => boolean): MemberCheck {
  return (value) => (test(value) ? undefined : `is ${typeWords(value)}, expected ${words}`);
}

const textOrNull = accepts('a string, or null to remove it', (value) => typeof value === 'string' || value === null);

/** The members of a tool's change. */
const MEMBERS: { readonly [M in keyof Required<ToolChange>]: MemberCheck } = {
  name: (value) => (value === '' ? 'is empty' : accepts('a string', (name) => typeof name === 'string')(value)),
  title: textOrNull,
  description: textOrNull,
  inputSchema: accepts('an object', isRecord),
  annotations: accepts('an object, or null to remove it', (value) => isRecord(value) || value === null),
  hidden: accepts('true or false', (value) => typeof value === 'boolean'),
};

/** Reads an overlay file. Keeps number literals exactly where JSON.rawJSON exists. Throws {@link OverlayError}. */
export function readOverlay(text: string): OverlayFile {
  if (text.length > OVERLAY_CHARS) throw new OverlayError(`The overlay is longer than ${OVERLAY_CHARS} characters.`);
  const file = parsed(withoutBom(text));
  if (!isRecord(file)) throw wrong([], `is ${typeWords(file)}, expected an object`);
  const unknown = Object.keys(file).find((key) => key !== 'tools' && key !== '$schema');
  if (unknown !== undefined) throw wrong([unknown], 'is not a member of an overlay. The only one is `tools`');
  const tools = Object.hasOwn(file, 'tools') ? file.tools : {};
  if (!isRecord(tools)) throw wrong(['tools'], `is ${typeWords(tools)}, expected an object`);
  const entries = Object.entries(tools);
  if (entries.length > MOST_TOOLS) throw wrong(['tools'], `has more than ${MOST_TOOLS} tools`);
  for (const [tool, change] of entries) checkChange(tool, change);
  const overlay = { tools: tools as OverlayFile['tools'] };
  refuseSameNames(overlay);
  return overlay;
}

function parsed(text: string): unknown {
  try {
    // Refuses texts that would exhaust the stack.
    parseBounded(text);
    return parseExactJson(text);
  } catch (error) {
    throw new OverlayError(`The overlay is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function checkChange(tool: string, change: unknown): void {
  if (!isRecord(change)) throw wrong(['tools', tool], `is ${typeWords(change)}, expected an object`);
  for (const [key, value] of Object.entries(change)) {
    const check = Object.hasOwn(MEMBERS, key) ? MEMBERS[key as keyof ToolChange] : undefined;
    if (!check) throw wrong(['tools', tool, key], `can’t be changed. Use one of ${Object.keys(MEMBERS).join(', ')}`);
    const fault = check(value);
    if (fault !== undefined) throw wrong(['tools', tool, key], fault);
  }
}

/** Two tools can't share a name, because a call could not say which it means. */
function refuseSameNames({ tools }: OverlayFile): void {
  const owners = new Map<string, string>();
  for (const [tool, { name = tool, hidden }] of Object.entries(tools)) {
    if (hidden) continue;
    const owner = owners.get(name);
    if (owner !== undefined) {
      const place = tools[tool]?.name === undefined ? ['tools', owner, 'name'] : ['tools', tool, 'name'];
      const other = place[1] === tool ? owner : tool;
      throw wrong(place, `is ${JSON.stringify(name.slice(0, SHOWN))}, which is also the name of ${shown(other)}`);
    }
    owners.set(name, tool);
  }
}

function shown(tool: string): string {
  return `\`${formatPath(['tools', tool]).slice(0, SHOWN)}\``;
}

function wrong(path: readonly string[], what: string): OverlayError {
  return new OverlayError(`${path.length === 0 ? 'The overlay' : `\`${formatPath(path).slice(0, SHOWN)}\``} ${what}.`);
}

/** Writes an overlay file, for people. */
export function writeOverlay({ tools }: OverlayFile): string {
  return `${stringifyJson({ tools }, 2)}\n`;
}
