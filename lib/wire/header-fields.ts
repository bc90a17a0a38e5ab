/** Headers that HTTP itself sets. A wrong one breaks or smuggles requests. */
const RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible ASCII, spaces and tabs: every HTTP stack carries these unchanged. */
const VALUE = /^[\t\x20-\x7e]*$/;

/** Returns true for a valid header name, or a part of one (RFC 9110, token). */
export function isHeaderToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns why the user can't send this header, with advice; undefined if they can. */
export function headerProblem(name: string, value: string): string | undefined {
  const shown = JSON.stringify(name);
  if (!TOKEN.test(name)) return `${shown} is not a valid header name. Use letters, digits and hyphens.`;
  if (RESERVED.has(name.toLowerCase())) return `HTTP itself sets the header ${shown}. Remove it.`;
  if (!VALUE.test(value)) return `The value of the header ${shown} has invalid characters. Remove them.`;
  return undefined;
}
