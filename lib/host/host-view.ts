import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { ListEntry } from '@/lib/store/state/state';
import { readProfile } from '@/lib/wire/client-profile';
import { tokensOfTool } from '@/lib/wire/token-estimate';
import type { HostIdentity, MetaUse } from './client-facts';
import type { AnswerUse, HostReader } from './host-reader';
import type { HostStep } from './opening';
import { countedName, type ParameterUse, type ToolCalls } from './tool-use';
import type { HostWaits } from './waits';

/** Most parameters of a schema that are listed. */
const MOST_DECLARED = 500;

/** A tool that a host can call, or calls. */
export interface HostTool extends ToolCalls {
  readonly name: string;
  readonly title?: string;
  /** Absent if it was called, but is not in the newest list. */
  readonly listed?: true;
  /** Estimated tokens of its definition; 0 if it is not listed. */
  readonly tokens: number;
}

/** A parameter of a tool, in its schema or given. */
export interface HostParameter extends ParameterUse {
  readonly name: string;
  /** In the `properties` of the tool’s `inputSchema`. */
  readonly declared?: true;
  readonly required?: true;
}

/** How a host uses a server, as the log of their session says. */
export interface HostView {
  /** Its program, as the tap's command line names it. */
  readonly host: string | undefined;
  /** Id of the host whose name mcp-inspect borrowed: the session is its own. */
  readonly as: string | undefined;
  /** How it presents itself, oldest first. */
  readonly identities: readonly HostIdentity[];
  /** Clients that a tap of a URL did not tell apart, by their `initialize` requests; at most 1 otherwise. */
  readonly clients: number;
  readonly era: string | undefined;
  /** The negotiated version. */
  readonly version: string | undefined;
  readonly meta: readonly MetaUse[];
  readonly requests: number;
  readonly server: { readonly name: string; readonly version: string };
  readonly steps: readonly HostStep[];
  readonly omittedSteps: number;
  readonly waits: HostWaits;
  readonly answers: readonly AnswerUse[];
  /** Those that were called first, the most often called on top, then the others as listed. */
  readonly tools: readonly HostTool[];
  /** Estimated tokens of all definitions together. */
  readonly tokens: number;
  /** Calls of tools beyond those that are counted by name. */
  readonly otherCalls: number;
  /** Messages that could not be read. */
  readonly unread: number;
}

const NOT_CALLED: ToolCalls = {
  calls: 0,
  errors: 0,
  cancelled: 0,
  oddArguments: 0,
  p50Us: undefined,
  p95Us: undefined,
  singlesUs: undefined,
  firstSeq: 0,
  lastSeq: 0,
};

/** Returns how a host uses the server, from what was read of the log. */
export function hostView(log: Log, reader: HostReader): HostView {
  const { connection, server, tools: listing } = log.state;
  const { start, era, version } = connection;
  const host = start && 'tap' in start ? start.tap?.host : undefined;
  const { identities } = reader.client;
  const isShared = start !== undefined && start.transport !== 'stdio' && 'tap' in start && era === 'legacy';
  const listed = listing.items.map((entry) => listedTool(entry, reader));
  const names = new Set(listed.map(({ name }) => name));
  const unlisted = [...reader.tools].filter(([name]) => !names.has(name));
  const all = [...listed, ...unlisted.map(([name, use]): HostTool => ({ name, tokens: 0, ...use.calls }))];
  return {
    host,
    as: start && readProfile(start).as,
    era,
    version,
    identities,
    clients: isShared ? identities.reduce((sum, { count }) => sum + count, 0) : 0,
    meta: reader.client.meta,
    requests: reader.client.requests,
    server: { name: server.info?.name ?? '', version: server.info?.version ?? '' },
    steps: reader.opening.steps,
    omittedSteps: reader.opening.omitted,
    waits: reader.waits,
    answers: reader.answers,
    // Stable: tools with as many calls stay in the order of the list.
    tools: all.sort((a, b) => b.calls - a.calls),
    tokens: listed.reduce((sum, { tokens }) => sum + tokens, 0),
    otherCalls: reader.otherCalls,
    unread: reader.unread,
  };
}

function listedTool({ name, raw }: ListEntry, reader: HostReader): HostTool {
  const counted = countedName(name);
  const title = own(raw, 'title');
  return {
    name: counted,
    ...(typeof title === 'string' && title !== '' && { title: countedName(title) }),
    listed: true,
    tokens: tokensOf(raw),
    ...(reader.tools.get(counted)?.calls ?? NOT_CALLED),
  };
}

/** By definition, so that each is estimated once. */
const TOKENS = new WeakMap<JsonObject, number>();

/** Estimates what a model gets: most hosts pass on name, description and input schema. */
function tokensOf(raw: JsonObject): number {
  let tokens = TOKENS.get(raw);
  if (tokens === undefined) {
    tokens = tokensOfTool(raw);
    TOKENS.set(raw, tokens);
  }
  return tokens;
}

/** Returns the parameters of a tool: declared ones as in the schema, then others that were given. */
export function hostParameters(log: Log, reader: HostReader, tool: string): readonly HostParameter[] {
  const entry = log.state.tools.items.find(({ name }) => countedName(name) === tool);
  const schema = entry && own(entry.raw, 'inputSchema');
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const required = isObject(schema) ? own(schema, 'required') : undefined;
  const needed = new Set(Array.isArray(required) ? required : []);
  const given = reader.tools.get(tool)?.parameters() ?? new Map<string, ParameterUse>();
  const declared = isObject(properties) ? Object.keys(properties).slice(0, MOST_DECLARED) : [];
  const names = new Set(declared.map(countedName));
  return [
    ...declared.map(
      (name): HostParameter => ({
        name: countedName(name),
        declared: true,
        ...(needed.has(name) && { required: true }),
        ...(given.get(countedName(name)) ?? NEVER_GIVEN),
      }),
    ),
    ...[...given].filter(([name]) => !names.has(name)).map(([name, use]): HostParameter => ({ name, ...use })),
  ];
}

const NEVER_GIVEN: ParameterUse = { given: 0, errors: 0, values: [], others: 0 };
