import { SERVER_INFO_KEY } from '@/lib/mcp/modern-meta';
import { NEWEST_LEGACY, NEWEST_MODERN, UNSUPPORTED_VERSION } from '@/lib/mcp/versions';
import type { RecordedSession } from '@/lib/session/recorded-session';
import type { JsonObject } from '@/lib/wire/message';
import { inEra } from './empty-result';

/** A refusal, as its members. */
export interface Refused {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

interface Asking {
  /** Everything that was recorded. */
  readonly methods: readonly string[];
  /** The version that the client asks for. */
  readonly requested: string;
}

/** What stands in for a part of the opening that was not recorded. */
export type Opening = { readonly result: JsonObject } | { readonly error: Refused };

export const DISCOVER = 'server/discover';

/** Requests that begin a connection. */
export const OPENINGS: ReadonlySet<string> = new Set(['initialize', DISCOVER]);

const METHOD_NOT_FOUND = -32601;

const SERVER = { name: 'mcp-inspect replay', version: '1' };

/**
 * The answer to `initialize` or `server/discover` that is not in the recording: in its own era what can be concluded from what is,
 * in the other era the refusal that a server of one era gives.
 */
export function openingOf(method: string, session: RecordedSession, { methods, requested }: Asking): Opening {
  const { era, version = era === 'modern' ? NEWEST_MODERN : NEWEST_LEGACY } = session;
  if (method === 'initialize') {
    if (era === 'modern') return { error: unsupported(version, requested) };
    return { result: { protocolVersion: version, capabilities: concluded(methods), serverInfo: SERVER } };
  }
  if (era === 'legacy') return { error: { code: METHOD_NOT_FOUND, message: 'Method not found' } };
  const result = {
    supportedVersions: [version],
    capabilities: concluded(methods),
    _meta: { [SERVER_INFO_KEY]: SERVER },
  };
  return { result: inEra(method, era, result) };
}

/** The refusal of a version, with the one that does. */
export function unsupported(version: string, requested: string): Refused {
  const data = { supported: [version], requested };
  return { code: UNSUPPORTED_VERSION, message: `This recording was made with version ${version}.`, data };
}

const CAPABILITIES: readonly (readonly [RegExp, string])[] = [
  [/^tools\//, 'tools'],
  [/^prompts\//, 'prompts'],
  [/^resources\//, 'resources'],
  [/^completion\//, 'completions'],
  [/^logging\//, 'logging'],
];

/** The capabilities that a server must have had to be asked this. */
function concluded(methods: readonly string[]): JsonObject {
  const found = CAPABILITIES.filter(([pattern]) => methods.some((method) => pattern.test(method)));
  return Object.fromEntries(found.map(([, capability]) => [capability, {}]));
}
