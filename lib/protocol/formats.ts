import { META_KEY, META_PREFIX } from '@/lib/wire/protocol-names';
import { baggageFault, traceparentFault, tracestateFault } from './trace-formats';

/** Texts with a syntax of their own, which the table of shapes names like types. */
export type Format =
  | 'uri'
  | 'uri-template'
  | 'file-uri'
  | 'url'
  | 'safe-url'
  | 'icon-uri'
  | 'icon-data'
  | 'icon-size'
  | 'mime-type'
  | 'media-type'
  | 'image-type'
  | 'audio-type'
  | 'timestamp'
  | 'task-time'
  | 'version-date'
  | 'meta-key'
  | 'reserved-key'
  | 'reserved-key-2025-06'
  | 'extension-name'
  | 'traceparent'
  | 'tracestate'
  | 'baggage';

type FaultOf = (text: string) => string | undefined;

/** Returns a function that tests a text. */
const matches =
  (pattern: RegExp, fault: string): FaultOf =>
  (text) =>
    pattern.test(text) ? undefined : fault;

/** For each format, a function that says what is wrong with a text, to follow "which". undefined if it is valid. */
export const TEXT_FORMATS: Readonly<Record<Format, FaultOf>> = {
  uri: uriFault,
  'uri-template': templateFault,
  'file-uri': matches(/^file:\/\//i, 'does not start with file://'),
  url: urlFault,
  'safe-url': safeUrlFault,
  'icon-uri': matches(/^(?:https|data):/i, 'is not an https: or data: URL'),
  'icon-data': iconDataFault,
  'icon-size': matches(/^(?:[1-9]\d*x[1-9]\d*|any)$/i, 'is neither "any" nor a size such as 48x48'),
  'mime-type': mimeTypeFault,
  'media-type': mimeTypeFault,
  // A wrong syntax is a fault of its own.
  'image-type': (text) => (mimeTypeFault(text) ? undefined : matches(/^image\//i, 'is not the type of an image')(text)),
  'audio-type': (text) => (mimeTypeFault(text) ? undefined : matches(/^audio\//i, 'is not the type of audio')(text)),
  timestamp: timestampFault,
  'task-time': timestampFault,
  'version-date': matches(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, 'is not a date such as 2026-07-28'),
  'meta-key': metaKeyFault,
  'reserved-key': (key) => reservedFault(key, prefixOf(key).at(1)),
  // Any label but the last one reserved a prefix in 2025-06-18.
  'reserved-key-2025-06': (key) => reservedFault(key, prefixOf(key).slice(0, -1).find(isReservedLabel)),
  'extension-name': (name) => (name.includes('/') ? metaKeyFault(name) : 'has no prefix'),
  traceparent: traceparentFault,
  tracestate: tracestateFault,
  baggage: baggageFault,
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

/** Checks a URL that a person is to open. */
function urlFault(text: string): string | undefined {
  return uriFault(text) ?? (URL.canParse(text) ? undefined : 'is not a valid URL');
}

/** Checks that a URL has https:. Another address of this machine may be used for development. */
function safeUrlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:' && /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) return undefined;
  return `has the scheme ${protocol.slice(0, 40)}`;
}

/** Checks a `data:` URL of an icon, which is the base64 of an image. */
function iconDataFault(text: string): string | undefined {
  if (!/^data:/i.test(text)) return undefined;
  const comma = text.indexOf(',');
  if (comma < 0) return 'has no comma before its data';
  const head = text.slice(0, comma);
  if (!/^data:image\//i.test(head)) return 'is not the data of an image';
  return /;base64$/i.test(head) ? undefined : 'is not base64';
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

function mimeTypeFault(text: string): string | undefined {
  return MIME_TYPE.test(text) ? undefined : 'does not have the form type/subtype';
}

const MONTH = '(?:0[1-9]|1[0-2])';
const DAY = String.raw`(?:0[1-9]|[12]\d|3[01])`;
const WEEK = String.raw`W(?:0[1-9]|[1-4]\d|5[0-3])`;
const HOUR = String.raw`(?:[01]\d|2[0-4])`;
const MINUTE = String.raw`[0-5]\d`;
const ZONE = `(?:Z|[+-]${HOUR}(?::?${MINUTE})?)`;
const TIME = String.raw`${HOUR}(?::?${MINUTE}(?::?(?:${MINUTE}|60))?)?(?:[.,]\d+)?${ZONE}?`;
/** The common forms of ISO 8601, with and without separators. Days and times may be missing. */
const TIMESTAMP = new RegExp(
  String.raw`^\d{4}(?:-?${MONTH}(?:-?${DAY})?|-?${WEEK}(?:-?[1-7])?|-?[0-3]\d\d)?(?:[T ]${TIME})?$`,
  'i',
);

function timestampFault(text: string): string | undefined {
  if (!TIMESTAMP.test(text)) return 'is not an ISO 8601 timestamp';
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]|$)/i.exec(text) ?? [];
  if (day === undefined) return undefined;
  // A day that the month does not have is counted into the next month.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day) ? undefined : 'is a day that does not exist';
}

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

/** Returns the labels of a key's prefix; none without a prefix. */
function prefixOf(key: string): readonly string[] {
  const slash = key.indexOf('/');
  return slash < 0 ? [] : key.slice(0, slash).split('.');
}

function isReservedLabel(label: string): boolean {
  return label === 'modelcontextprotocol' || label === 'mcp';
}

/** Keys that the specification defines, in any version. */
const DEFINED_KEYS: ReadonlySet<string> = new Set([
  ...Object.values(META_KEY),
  `${META_PREFIX}model-immediate-response`,
]);

/** Checks a key that is reserved if `label` is. */
function reservedFault(key: string, label: string | undefined): string | undefined {
  if (label === undefined || !isReservedLabel(label) || DEFINED_KEYS.has(key)) return undefined;
  return 'has a prefix reserved for MCP, and no version defines it';
}
