import { byteText, byteTextOf, percentDecoded } from './byte-text';
import { type Literal, LiteralFinder, type LiteralHit } from './literal-finder';
import { namedSecret } from './secret-names';
import { SHAPES, type Shape } from './shapes';

/** A place in a text where a secret may start. */
export type Trigger =
  | { readonly is: 'shape'; readonly at: number; readonly hit: LiteralHit; readonly shapes: readonly Shape[] }
  /** `at` is inside the name of a value. The name starts at `from`, after its dashes. */
  | { readonly is: 'name'; readonly at: number; readonly hit: LiteralHit; readonly name: NameInText }
  /** In a table, `at` is inside the name of a column. */
  | { readonly is: 'layout'; readonly at: number; readonly hit: LiteralHit; readonly kind: LayoutKind };

/** Layouts in which a name stands apart from its values. */
export type LayoutKind = 'manifest' | 'insert' | 'copy' | 'table';

/** The name of a value in a text. */
export interface NameInText {
  readonly from: number;
  readonly to: number;
  readonly place: 'query' | 'flag' | 'text';
}

/** Returns true if a frame has to be scanned. Any other frame has no certain secret. */
export function hasTrigger(bytes: Uint8Array): boolean {
  let text: string | undefined;
  for (let hit = IN_FRAME.nextInBytes(bytes, 0); hit; hit = IN_FRAME.nextInBytes(bytes, hit.end, hit.state)) {
    const literal = LITERALS[hit.index];
    if (!literal) {
      if (hit.index > LITERALS.length || isAsciiEscape(bytes[hit.end], bytes[hit.end + 1])) return true;
      continue;
    }
    text ??= byteText(bytes);
    if (literal.shapes || literal.layout || isSecretAt(text, hit.end - literal.text.length)) return true;
  }
  return false;
}

/** Returns true if the two digits after `\u00` are of an ASCII character (20 to 7f) or begin a colour (1b). */
function isAsciiEscape(byte: number | undefined, next: number | undefined): boolean {
  if (byte === undefined) return false;
  return (byte >= 0x32 && byte <= 0x37) || (byte === 0x31 && next !== undefined && (next | 0x20) === 0x62);
}

/** Returns the first trigger in a text, or the next one after a hit. */
export function nextTrigger(text: string, behind: Pick<LiteralHit, 'end' | 'state'> = BEGINNING): Trigger | undefined {
  let { end, state } = behind;
  for (let hit = IN_TEXT.nextInText(text, end, state); hit; hit = IN_TEXT.nextInText(text, end, state)) {
    const { text: literal, shapes, layout } = LITERALS[hit.index]!;
    ({ end, state } = hit);
    const at = end - literal.length;
    if (shapes) return { is: 'shape', at, hit, shapes };
    if (layout) return { is: 'layout', at, hit, kind: layout };
    const word = wordAt(text, at);
    const name = nameIn(text, word);
    if (name) return { is: 'name', at, hit, name };
    if (isColumn(text, word)) return { is: 'layout', at, hit, kind: 'table' };
  }
  return undefined;
}

const BEGINNING = { end: 0, state: 0 };

/** Text that names of secrets contain. */
const NAME_PARTS = [
  ...['token', 'secret', 'pass', 'pwd', 'credential', 'creds', 'cookie'],
  ...['authorization', 'bearer"', 'bearer=', 'key', 'session', 'sid"', 'sid=', 'jwt', 'verifier', 'assertion', 'saml'],
  ...['device_code', 'devicecode', 'auth_code', 'authcode', 'signature', 'code=', 'state=', 'sig=', 'hmac=', 'auth='],
  ...['auth"', 'ticket=', 'pat"', 'pat=', 'sessid', 'mnemonic', 'seed', 'phrase'],
  // In nested strings.
  ...['bearer\\', 'sid\\', 'auth\\', 'pat\\'],
];

const STARTS = [...new Set(SHAPES.flatMap(({ starts }) => starts))];

/** An escaped ASCII character. Programs rarely write one, so it may hide something. */
const ESCAPE = '\\u00';

/** Begins a colour, which may stand anywhere in a name or value. */
const CSI = '\u001b[';

/**
 * Beginnings of layouts in which a name stands apart from its values. A Kubernetes Secret may also stand inside a JSON
 * string.
 */
const LAYOUTS: readonly (Literal & { readonly layout: LayoutKind })[] = [
  ...[
    'kind: Secret',
    "kind: 'Secret'",
    'kind: "Secret"',
    'kind: \\"Secret',
    'kind": "Secret"',
    'kind\\": \\"Secret',
  ].map((text) => ({ text, layout: 'manifest' as const })),
  { text: 'insert into ', anyCase: true, layout: 'insert' },
  { text: ') from stdin', anyCase: true, layout: 'copy' },
];

interface Begins extends Literal {
  readonly shapes?: readonly Shape[];
  readonly layout?: LayoutKind;
}

const LITERALS: readonly Begins[] = [
  ...STARTS.map((text) => ({ text, shapes: SHAPES.filter(({ starts }) => starts.includes(text)) })),
  ...LAYOUTS,
  ...NAME_PARTS.map((text) => ({ text, anyCase: true })),
];

const IN_TEXT = new LiteralFinder(LITERALS);
const IN_FRAME = new LiteralFinder([...LITERALS, { text: ESCAPE }, { text: CSI }]);

/** Most characters that a name may have before the part that was found. */
const NAME_BEFORE_CHARS = 64;
/** Most characters that a name may have from that part on. */
const NAME_AFTER_CHARS = 32;
/**
 * Matches text after a name: the separator before its value, or the end of an object or array that names the next
 * value.
 */
const NAME_END = /(?:[\]}]|\*{1,2})?\s{0,4}[:=]|%3[dD]|\\{0,7}["'`]\s{0,4}[:=,}\]]/y;
const FLAG_END = /["']?(?:\s|=)|["'],/y;

interface Word {
  readonly from: number;
  readonly to: number;
}

/** Returns the word, or two words, around `at` that may be a name. */
function wordAt(text: string, at: number): Word {
  let from = at;
  while (from > 0 && at - from < NAME_BEFORE_CHARS && isNameCode(text.charCodeAt(from - 1))) from--;
  let to = at;
  while (
    to < text.length &&
    to - at < NAME_AFTER_CHARS &&
    isNameCode(text.charCodeAt(to)) &&
    !text.startsWith('%3', to)
  )
    to++;
  // A letter after a backslash belongs to an escape.
  if (text[from - 1] === '\\' && 'bfnrt'.includes(text[from]!)) from++;
  return { from: from - lengthBefore(text, from, to), to };
}

/** Returns a word as a name if a value may follow it. */
function nameIn(text: string, { from: begin, to }: Word): NameInText | undefined {
  let from = begin;
  while (text[from] === '-' || text[from] === '.') from++;
  const flag = text[begin] === '-';
  NAME_END.lastIndex = to;
  FLAG_END.lastIndex = to;
  if (!NAME_END.test(text) && !(flag && FLAG_END.test(text)) && !separatorBehind(text, { from, to })) return undefined;
  return { from, to, place: isQuery(text, begin, to) ? 'query' : flag ? 'flag' : 'text' };
}

const KINDS_OF_KEYS =
  /(?:^|[\s"'*(])((?:api|access|secret|private|account|license|master|admin|service|subscription|encryption|signing) )key$/i;
const KINDS_OF_PHRASES = /(?:^|[\s"'*(])((?:seed|recovery|backup|wallet|mnemonic) )phrase$/i;

/** Returns the length of the first word, with its space, in names of two words: `API key`, `seed phrase`. */
function lengthBefore(text: string, from: number, to: number): number {
  if ((to - from !== 3 && to - from !== 6) || text[from - 1] !== ' ') return 0;
  const kinds = to - from === 3 ? KINDS_OF_KEYS : KINDS_OF_PHRASES;
  const [, first = ''] = kinds.exec(text.slice(Math.max(0, from - 14), to)) ?? [];
  return first.length;
}

/** Characters in which the next parameter of a form is looked for. */
const FORM_CHARS = 300;

/** Returns true if a name belongs to a URL's query or fragment, or to a form. A form may start with the name. */
function isQuery(text: string, from: number, to: number): boolean {
  if (from === 0) return text[to] === '=' && text.slice(to, to + FORM_CHARS).includes('&');
  return '?&#'.includes(text[from - 1]!) || text.endsWith('&amp;', from);
}

/**
 * The text between a column's name and the next one or the end of the head. In bytes it may also be inside a JSON
 * string.
 */
const COLUMN_END = byteTextOf('[ \\t]{0,60}[*_`]{0,3}\\\\{0,7}["\']?[ \\t]{0,60}(?:[,;|\\t\\r\\n]|\\\\[nrt]|│)');
const BEHIND_COLUMN = new RegExp(COLUMN_END, 'y');
const BEFORE_COLUMN = new RegExp(
  byteTextOf('(?:^|[,;|:\\t\\r\\n]|\\\\[nrt]|│)[ \\t]{0,60}\\\\{0,7}["\']?[*_`]{0,3}(?:[A-Za-z][\\w.-]{0,20} ){0,3}$'),
);

/** Returns true for a word that may be a cell of a table head. */
export function isColumn(text: string, { from, to }: Word): boolean {
  BEHIND_COLUMN.lastIndex = to;
  return BEHIND_COLUMN.test(text) && BEFORE_COLUMN.test(text.slice(Math.max(0, from - 70), from));
}

/** Returns true if a name here makes a secret of the value after it or the column below it. */
function isSecretAt(text: string, at: number): boolean {
  const word = wordAt(text, at);
  const found = nameIn(text, word) ?? (isColumn(text, word) ? word : undefined);
  if (!found) return false;
  const name = percentDecoded(text.slice(found.from, found.to));
  // More names are secret in queries and headers than elsewhere.
  const secret = namedSecret(name, 'query');
  return secret !== undefined && (!secret.weak || /^(?:code|state)$/i.test(name));
}

/** Letters, digits, `_`, `-`, `.` and `%`. */
function isNameCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x25
  );
}

const TAG = /[^<>]{0,200}>\s{0,20}/y;
const ATTRIBUTE = /\\{0,7}["'][^<>]{0,200}?\svalue\s{0,2}=\s{0,2}(?=\\{0,7}["'])/y;
const COMMA = /\\{0,7}["']\s{0,4},\s{0,4}b?(?=\\{0,7}["'])/y;
const SETTING = /["']?[ \t]{0,4}(?:\r?\n|(?:\\r)?\\n)[ \t]{0,40}value:[ \t]{1,4}/y;
const DEFAULT = /\\{0,7}"\s{0,4}\{[^{}]{0,400}?\bdefault\s{0,20}=\s{0,4}(?=\\{0,7}")/y;
const PHRASE = /\s(?:is|was)[:\s]\s{0,4}/y;
const BLANK = /[ \t]{1,8}(?=[^\s=:,;"'`()<>{}[\]|\\]{8,200}[ \t]{0,8}(?:$|[\r\n"]|\\[rn]))/y;

const NETRC = /(?<=password)\s{1,8}(?=[^\s"'`\\])(?![{<]|\$\{)/y;
const QUOTED = /\s{1,4}(?=\\{0,7}["'][^"'\s\\]{8,200}\\{0,7}["'])/y;

/** How a name and its value are joined other than with `:` or `=`, and the length of the text between them. */
export interface Separator {
  readonly kind: 'element' | 'attribute' | 'tuple' | 'setting' | 'netrc' | 'phrase' | 'quoted';
  readonly length: number;
}

/**
 * The text between name and value, and the text required before the name. Every repetition is bounded, and the text may
 * be inside a string.
 */
const JOINTS: readonly (readonly [kind: Separator['kind'], before: RegExp, behind: RegExp])[] = [
  ['element', /<$/, TAG],
  ['attribute', /["']$/, ATTRIBUTE],
  ['tuple', /[([]\s{0,4}b?\\{0,7}["']$/, COMMA],
  // Terraform: variable "x" { default = "…" }
  ['setting', /variable\s{1,4}\\{0,7}"$/, DEFAULT],
  // Kubernetes: - name: x, and value: … on the next line
  ['setting', /name:[ \t]{1,4}["']?$/, SETTING],
  [
    'netrc',
    /(?:\bmachine\s{1,8}\S{1,70}|\bdefault)\s{1,20}login\s{1,8}\S{1,60}\s{1,20}(?:account\s{1,8}\S{1,60}\s{1,20})?$/,
    NETRC,
  ],
  ['phrase', /(?:^|[\s("'*])$/, PHRASE],
  // SQL: PASSWORD 'x'
  ['quoted', /(?:^|[\s(])$/, QUOTED],
  // .netrc: a password on its own line, or after the login
  ['phrase', /(?:^|\n|\\n)[ \t]{0,40}$|login[ \t]{1,4}\S{1,100}[ \t]{1,4}$/, BLANK],
];

/**
 * Recognises `<password>x</…`, `name="password" value="x"`, `('password', 'x')`, `the password is x` and the like.
 * Returns undefined for anything else.
 */
export function separatorBehind(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): Separator | undefined {
  let before: string | undefined;
  for (const [kind, fits, behind] of JOINTS) {
    behind.lastIndex = to;
    const length = behind.exec(text)?.[0].length;
    if (length === undefined) continue;
    before ??= text.slice(Math.max(0, from - 150), from);
    if (fits.test(before)) return { kind, length };
  }
  return undefined;
}
