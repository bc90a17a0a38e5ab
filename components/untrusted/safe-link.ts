const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address a link may lead to, as the browser would read it: absolute, http, https or mailto. Undefined for every other scheme and for
 * relative addresses, which would lead back into this page.
 */
export function safeAddress(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined;
  try {
    const url = new URL(address);
    return SCHEMES.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
