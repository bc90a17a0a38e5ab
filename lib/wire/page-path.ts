/**
 * The address of one of our own paths, which begins with a slash. Behind a reverse proxy the page may stand below a
 * path: the proxy then says which in an attribute of the page (proxy/http/static-files.ts).
 */
export function pagePath(path: string): string {
  return `${globalThis.document?.documentElement.dataset.base ?? ''}${path}`;
}
