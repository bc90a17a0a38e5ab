/** Header names that belong to HTTP itself: a wrong one breaks or smuggles requests. */
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
/** Visible ASCII, spaces and tabs: what every HTTP stack carries unchanged. */
const VALUE = /^[\t\x20-\x7e]*$/;

/** True for what may be a header's name, or a part of one (RFC 9110, token). */
export function isHeaderToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Why a person may not have this header sent, as a sentence with what to do; undefined if they may. */
export function headerProblem(name: string, value: string): string | undefined {
  const shown = JSON.stringify(name);
  if (!TOKEN.test(name)) return `${shown} is no header name: use letters, digits and hyphens.`;
  if (RESERVED.has(name.toLowerCase())) return `The header ${shown} belongs to HTTP itself: leave it out.`;
  if (!VALUE.test(value))
    return `The value of the header ${shown} has characters that no header may have: take them out.`;
  return undefined;
}

const SECRET_NAME =
  /auth(?!or(?!i[sz]))|cookie|token|secret|passw|credential|signature|(^|[-_])(api[-_]?)?key$|apikey|session[-_]?(id|key)?$/i;
const CAMEL_KEY = /[a-z0-9]Key$/;
const NOT_SECRET = new Set(['www-authenticate', 'proxy-authenticate']);

/** True for headers, query parameters and variables whose value is not to be shown. */
export function isSecretField(name: string): boolean {
  return (SECRET_NAME.test(name) || CAMEL_KEY.test(name)) && !NOT_SECRET.has(name.toLowerCase());
}
