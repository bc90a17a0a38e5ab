import { type Era, PROTOCOL_VERSIONS, type ProtocolVersion } from '@/lib/wire/lifecycle';
import { isObject, own } from '@/lib/wire/message';

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
