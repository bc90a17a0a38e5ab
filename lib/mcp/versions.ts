import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ClientProfile } from '@/lib/wire/client-profile';
import { type Era, PROTOCOL_VERSIONS, type ProtocolChoice, type ProtocolVersion } from '@/lib/wire/lifecycle';
import { META_KEY, RPC_CODE } from '@/lib/wire/protocol-names';

/** The first version of the modern era. Versions are dates, so they compare as text. */
const FIRST_MODERN: ProtocolVersion = '2026-07-28';

/** A version before the first release, which early servers still answer with. */
const PREDECESSOR = '2024-10-07';

/** Returns the era of a version. Unknown versions are classified by their date. */
export function eraOf(version: string): Era {
  return version >= FIRST_MODERN ? 'modern' : 'legacy';
}

/** The version that auto mode asks for in `initialize`. */
export const NEWEST_LEGACY: ProtocolVersion = newestOf('legacy');
/** The version that the probe speaks. */
export const NEWEST_MODERN: ProtocolVersion = newestOf('modern');

/** Returns true for versions that a server may answer `initialize` with. */
export function isLegacyVersion(version: string): boolean {
  return version === PREDECESSOR || PROTOCOL_VERSIONS.some((known) => known === version && eraOf(known) === 'legacy');
}

/** Returns the newest modern version that we and `offered` (unchecked, from a server) have in common. */
export function commonModern(offered: unknown): ProtocolVersion | undefined {
  if (!Array.isArray(offered)) return undefined;
  return PROTOCOL_VERSIONS.findLast((known) => eraOf(known) === 'modern' && offered.includes(known));
}

/** Returns the newest modern version that an "unsupported version" error offers. */
export function offeredModern(error: { readonly code: number; readonly data?: unknown }): ProtocolVersion | undefined {
  if (error.code !== RPC_CODE.unsupportedVersion || !isObject(error.data)) return undefined;
  return commonModern(own(error.data, 'supported'));
}

/** Returns how a connection opens: as a person chose, or in auto mode in the version that the host asks for. */
export function protocolOf(choice: ProtocolChoice, { protocol }: ClientProfile): ProtocolChoice {
  return choice === 'auto' ? (PROTOCOL_VERSIONS.find((known) => known === protocol) ?? choice) : choice;
}

function newestOf(era: Era): ProtocolVersion {
  return PROTOCOL_VERSIONS.findLast((version) => eraOf(version) === era)!;
}

/** Name and version of the client, as sent to servers. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
}

/** Returns mcp-inspect of this version as a client, with what replaces or adds to that in the order given. */
export function clientInfoWith(version: string, given: ClientProfile['info'] = {}): ClientInfo {
  return { ...given, name: given.name ?? 'mcp-inspect', version: given.version ?? version };
}

/** Returns the `_meta` of every modern request. Without `logLevel` the server must not log for this request. */
export function modernMeta(
  version: string,
  clientInfo: ClientInfo,
  capabilities: JsonObject,
  logLevel: string | undefined,
): JsonObject {
  return {
    [META_KEY.protocolVersion]: version,
    [META_KEY.clientInfo]: clientInfo,
    [META_KEY.clientCapabilities]: capabilities,
    ...(logLevel === undefined ? {} : { [META_KEY.logLevel]: logLevel }),
  };
}
