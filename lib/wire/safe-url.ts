const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/**
 * Returns a URL as the browser would read it if it is an absolute http, https or mailto URL. undefined for other
 * schemes and for relative URLs, which would lead back into this page.
 */
export function safeUrl(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined;
  try {
    const url = new URL(address);
    return SCHEMES.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
