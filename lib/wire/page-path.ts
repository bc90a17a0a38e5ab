/**
 * Returns the address of one of our own paths, which starts with a slash. Behind a reverse proxy, the page can be
 * served below a path, which the proxy sets as an attribute of the page (proxy/http/static-files.ts).
 */
export function pagePath(path: string): string {
  return `${globalThis.document?.documentElement.dataset.base ?? ''}${path}`;
}
