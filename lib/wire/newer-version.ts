import { PROTOCOL_VERSIONS } from './lifecycle';

/** Versions are dates, so they compare as text. */
const NEWEST = PROTOCOL_VERSIONS.at(-1)!;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the newest of the protocol versions that a server offers, if mcp-inspect knows none of them and that one is
 * newer than all it knows. `offered` is unchecked.
 */
export function newerVersion(offered: unknown): string | undefined {
  if (!Array.isArray(offered) || offered.some((version) => PROTOCOL_VERSIONS.includes(version))) return undefined;
  const dates = offered.filter((version): version is string => typeof version === 'string' && DATE.test(version));
  const newest = dates.sort().at(-1);
  return newest !== undefined && newest > NEWEST ? newest : undefined;
}

/** Returns what to do about a version that is newer than all that mcp-inspect knows. */
export function updateAdvice(version: string): string {
  return `${version} is newer than ${NEWEST}, the newest version that this mcp-inspect knows. npx may have kept an old one: \`npx mcp-inspect@latest\` runs the newest release.`;
}
