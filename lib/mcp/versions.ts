import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type Era, PROTOCOL_VERSIONS, type ProtocolVersion } from '@/lib/wire/lifecycle';

/** The one modern version so far; versions are dates, so they compare as text. */
const FIRST_MODERN: ProtocolVersion = '2026-07-28';

/** Never released as a revision of its own, but servers of the first days still answer with it. */
const PREDECESSOR = '2024-10-07';

/** How a version opens and what its requests carry. Versions that are not known here are sorted by their date. */
export function eraOf(version: string): Era {
  return version >= FIRST_MODERN ? 'modern' : 'legacy';
}

/** What `initialize` asks for in auto mode. */
export const NEWEST_LEGACY: ProtocolVersion = newestOf('legacy');
/** What the probe speaks. */
export const NEWEST_MODERN: ProtocolVersion = newestOf('modern');

/** True for versions that a server may answer to `initialize`. */
export function isLegacyVersion(version: string): boolean {
  return version === PREDECESSOR || PROTOCOL_VERSIONS.some((known) => known === version && eraOf(known) === 'legacy');
}

/** The newest modern version that we and `offered` (anything a server sent) have in common. */
export function commonModern(offered: unknown): ProtocolVersion | undefined {
  if (!Array.isArray(offered)) return undefined;
  return PROTOCOL_VERSIONS.findLast((known) => eraOf(known) === 'modern' && offered.includes(known));
}

/** Code of "unsupported protocol version" in the modern era; `data.supported` lists what would do. */
export const UNSUPPORTED_VERSION = -32022;

/** The newest modern version that the data of an {@link UNSUPPORTED_VERSION} error offers. */
export function offeredModern(error: { readonly code: number; readonly data?: unknown }): ProtocolVersion | undefined {
  if (error.code !== UNSUPPORTED_VERSION || !isObject(error.data)) return undefined;
  return commonModern(own(error.data, 'supported'));
}

function newestOf(era: Era): ProtocolVersion {
  return PROTOCOL_VERSIONS.findLast((version) => eraOf(version) === era)!;
}

/** How we introduce ourselves. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** In the `_meta` of modern results: who answered. */
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';

/** What `_meta` of every modern request says. `logLevel` absent: the server must not log for this request. */
export function modernMeta(
  version: string,
  clientInfo: ClientInfo,
  capabilities: JsonObject,
  logLevel: string | undefined,
): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(logLevel === undefined ? {} : { 'io.modelcontextprotocol/logLevel': logLevel }),
  };
}
