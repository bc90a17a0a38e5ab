import type { CookieLines } from './cookie-lines';
import { schemeLength } from './schemes';
import type { NamedSecret, NamePlace } from './secret-names';
import { sticky } from './sticky';

/** Where a value stands behind its name. */
export interface ValueSpan {
  readonly from: number;
  readonly to: number;
  /** In quotes, so it is a value whatever it looks like. */
  readonly quoted: boolean;
  /** In brackets, which much else is: it has to look like a secret. */
  readonly wrapped?: true;
}

const QUOTE = /(?:(?:b|u|r|rb|br)(?=["']))?(\\{0,7})(["'`])/y;
/** Longer values are cut. */
const MOST = 16_384;
const BARE = new RegExp(`[^\\s"'\`,;&<>()[\\]{}\\\\|]{1,${MOST}}`, 'y');
const IN_URL = new RegExp(`(?:(?!%26)[^\\s"'\`&#<>()[\\]{}\\\\|;]){1,${MOST}}`, 'y');
const IN_LINE = new RegExp(`[^\\r\\n"'\\\\]{1,${MOST}}`, 'y');
const IN_ELEMENT = new RegExp(`[^<]{1,${MOST}}?(?=\\s{0,20}<\\\\?/)`, 'y');
const IN_NETRC = new RegExp(`[^\\s"'\`\\\\]{1,${MOST}}`, 'y');
/** Quotes of Python and TOML that go over several lines. */
const QUOTES = new RegExp(`("""|''')\\s{0,4}([^"']{1,${MOST}})`, 'y');
/** What values are put into: brackets, but not a placeholder's, and how programs call what must not be printed. */
const WRAPPING =
  /(?:\$\{|<|(?:(?:Some|Just|Secret\w{0,12}|Hidden|Sensitive|Password|Token|String)?\(|(?!\[redacted:)[[{]){1,3})(?:\\{0,7}["'])?/y;
/** Before the first item of a list of YAML. */
const ITEM = /-[ \t]{1,4}(?=[^\s-])/y;
/** A scalar of YAML that begins on the next line. */
const BLOCK = /[|>][+-]?\d?[ \t]{0,4}\r?\n[ \t]{1,40}/y;

/** The value that begins at a place; undefined if none does. */
export function valueSpan(
  text: string,
  at: number,
  place: NamePlace,
  secret: NamedSecret,
  lines: CookieLines,
): ValueSpan | undefined {
  const { rule } = secret;
  const block = sticky(BLOCK, text, at);
  if (block) return bare(IN_LINE, text, at + block[0].length);
  const item = place === 'text' && sticky(ITEM, text, at);
  if (item) return valueSpan(text, at + item[0].length, 'flag', secret, lines);
  const quotes = sticky(QUOTES, text, at);
  if (quotes) return { from: at + quotes[0].length - quotes[2]!.length, to: at + quotes[0].length, quoted: true };
  const quote = sticky(QUOTE, text, at);
  let from = at + (quote?.[0].length ?? 0);
  if (rule === 'authorization') from += schemeLength(text, from);
  if (quote) {
    const to = quoteEnd(text, from, quote[2]!, quote[1]!.length);
    // Backticks are code's as well.
    if (quote[2] === '`') return to > from ? { from, to, quoted: false, wrapped: true } : undefined;
    return to > from ? { from, to, quoted: true } : undefined;
  }
  const wrapping = sticky(WRAPPING, text, from);
  if (wrapping) {
    const inside = from + wrapping[0].length;
    const found = bare(BARE, text, inside + (rule === 'authorization' ? schemeLength(text, inside) : 0));
    return found && { ...found, wrapped: true };
  }
  if (rule === 'cookie' && place === 'text') return cookies(lines, from);
  const found = bare(place === 'query' ? IN_URL : BARE, text, from);
  // A call, not a value: `token=getToken()`.
  return found && place === 'text' && text[found.to] === '(' ? undefined : found;
}

function cookies(lines: CookieLines, from: number): ValueSpan | undefined {
  const to = lines.endOf(from, MOST);
  return to === from || lines.areWords(from, to) ? undefined : { from, to, quoted: false };
}

/** `API_KEY=` at a line's beginning, as in files of settings. */
const SETTING = /(?:^|[\r\n])[ \t]{0,8}(?:export |set |ENV )?$/;
/** What needs no quotes there, and is nothing that runs: `$(…)`, a call, the rest of a command. */
const SET = new RegExp(
  `(?![\\s"'\`$])(?!\\w{1,64}[(.[])(?:(?!\\\\[nrt])\\S){1,${MOST}}(?=[ \\t]{0,200}(?:#[^\\r\\n]{0,200})?(?:[\\r\\n]|\\\\[nrt]|$))`,
  'y',
);
/** An app password of a mail provider. */
const IN_FOURS = /[a-z]{4}(?: [a-z]{4}){3}(?=[ \t]{0,200}(?:[\r\n]|$))/y;

/** The value of a setting that is a line of its own: signs that end it elsewhere belong to it. undefined for any other. */
export function lineSpan(
  text: string,
  { from, to }: Pick<ValueSpan, 'from' | 'to'>,
  at: number,
): ValueSpan | undefined {
  if (!/^[A-Z][A-Z0-9_]*$/.test(text.slice(from, to)) || !SETTING.test(text.slice(Math.max(0, from - 16), from))) {
    return undefined;
  }
  return bare(IN_FOURS, text, at) ?? bare(SET, text, at);
}

/** The word of a `.netrc` that begins at a place: signs that end a value elsewhere belong to it. */
export function netrcSpan(text: string, at: number): ValueSpan | undefined {
  return bare(IN_NETRC, text, at);
}

/** The text of an element of markup that begins at a place. */
export function elementSpan(text: string, at: number): ValueSpan | undefined {
  return bare(IN_ELEMENT, text, at);
}

function bare(pattern: RegExp, text: string, from: number): ValueSpan | undefined {
  const found = sticky(pattern, text, from);
  return found && { from, to: from + found[0].length, quoted: false };
}

/** Where the quote is that ends what began behind one with so many backslashes before it; the line's end without one. */
function quoteEnd(text: string, from: number, quote: string, slashes: number): number {
  const last = Math.min(text.length, from + MOST);
  for (let at = from; at < last; at++) {
    if (text[at] === '\n') return at;
    if (text[at] !== quote) continue;
    let before = 0;
    while (before <= at - from && text[at - 1 - before] === '\\') before++;
    if (before <= slashes) return at - before;
  }
  return last;
}
