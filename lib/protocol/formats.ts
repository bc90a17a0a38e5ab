/** Texts with a syntax of their own, which the table of shapes names like types. */
export type Format = 'uri' | 'uri-template' | 'mime-type' | 'timestamp' | 'meta-key';

/** For each format, a function that says what is wrong with a text, to follow "which". undefined if it is valid. */
export const FORMATS: Readonly<Record<Format, (text: string) => string | undefined>> = {
  uri: uriFault,
  'uri-template': templateFault,
  'mime-type': (text) => (MIME_TYPE.test(text) ? undefined : 'does not have the form type/subtype'),
  timestamp: (text) => (TIMESTAMP.test(text) ? undefined : 'is not an ISO 8601 timestamp'),
  'meta-key': metaKeyFault,
};

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const NOT_IN_URI = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/u;
const BAD_ESCAPE = /%(?![0-9a-f]{2})/i;
const AUTHORITY = /^[^:]*:\/\/([^/?#]*)/;
/** User, host (a name, an IPv4 address, or an address in brackets) and port. */
const HOST = /^(?:[^@[\]]*@)?(?:\[[\w:.~!$&'()*+,;=-]+\]|[^@:[\]]*)(?::\d*)?$/;

/** Checks a text against RFC 3986. Each test takes linear time, because a `data:` URI can have megabytes. */
function uriFault(text: string): string | undefined {
  if (!SCHEME.test(text)) return 'has no scheme';
  const character = NOT_IN_URI.exec(text)?.[0];
  if (character !== undefined) return `contains ${JSON.stringify(character)}, which must be percent-encoded`;
  if (BAD_ESCAPE.test(text)) return 'has a % without two hexadecimal digits';
  if (text.indexOf('#') !== text.lastIndexOf('#')) return 'has more than one #';
  const [start = '', authority = ''] = AUTHORITY.exec(text) ?? [];
  if (!HOST.test(authority)) return 'has an invalid host or port';
  return /[[\]]/.test(text.slice(start.length)) ? 'has a bracket outside its host' : undefined;
}

/** Characters that must be encoded outside expressions. RFC 6570 also names `'`, but an erratum allows it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not allowed in a template
const NOT_LITERAL = /[\x00-\x20"<>\\^`|}\x7f]|%(?![0-9a-f]{2})/i;
const VARIABLE = String.raw`(?:\w|%[0-9a-fA-F]{2})(?:\.?(?:\w|%[0-9a-fA-F]{2}))*(?:\*|:[1-9]\d{0,3})?`;
const EXPRESSION = new RegExp(`^[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*$`);
/** Longer expressions are not checked, so that the pattern needs little stack. */
const EXPRESSION_CHARS = 1000;

/** Checks a text against RFC 6570. */
function templateFault(text: string): string | undefined {
  for (let at = 0; ; ) {
    const open = text.indexOf('{', at);
    const bad = NOT_LITERAL.exec(text.slice(at, open < 0 ? undefined : open))?.[0];
    if (bad === '}') return 'has a } without a {';
    if (bad === '%') return 'has a % without two hexadecimal digits';
    if (bad !== undefined) return `contains ${JSON.stringify(bad)}, which must be percent-encoded`;
    if (open < 0) return undefined;
    const close = text.indexOf('}', open);
    if (close < 0) return 'has a { without a }';
    const expression = text.slice(open + 1, close);
    if (expression.length <= EXPRESSION_CHARS && !EXPRESSION.test(expression))
      return `has the invalid expression {${expression.slice(0, 60)}}`;
    at = close + 1;
  }
}

/** A restricted name of RFC 6838, a slash and another one. Parameters may follow. */
const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+[ \t]*(?:;|$)/;

/** The common forms of ISO 8601, with and without separators. Days and times may be missing. */
const TIMESTAMP =
  /^\d{4}(?:-?\d\d(?:-?\d\d)?|-?W\d\d(?:-?\d)?|-?\d{3})?(?:[T ]\d\d(?::?\d\d(?::?\d\d)?)?(?:[.,]\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

const LABEL = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/i;
const NAME = /^(?:[a-z0-9](?:[\w.-]*[a-z0-9])?)?$/i;

/** Checks a key of `_meta`: an optional prefix of labels with dots between, a slash, and a name. */
function metaKeyFault(key: string): string | undefined {
  const slash = key.indexOf('/');
  if (slash >= 0 && !key.slice(0, slash).split('.').every(isLabel)) return 'has an invalid prefix';
  return NAME.test(key.slice(slash + 1)) ? undefined : 'has an invalid name';
}

function isLabel(text: string): boolean {
  return LABEL.test(text);
}
