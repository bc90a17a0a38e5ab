import type { FieldValue } from './ast';
import type { FilterFault } from './fault';

/** A piece of a filter text, at characters [at, end). */
export type Token = { readonly at: number; readonly end: number } & (
  | { readonly type: 'open' | 'close' | 'minus' | 'or' | 'and' }
  | { readonly type: 'text'; readonly text: string }
  /** `valueAt` is where the value begins, its opening quote included. */
  | ({ readonly type: 'field'; readonly key: string; readonly valueAt: number } & FieldValue)
  | { readonly type: 'fault'; readonly fault: FilterFault }
);

const SPACE = /\s/;
/** A key and its colon. What goes on with two slashes is the address of something. */
const KEY = /([a-z][a-z-]*):(?!\/\/)/iy;
const WORDS: Readonly<Record<string, 'or' | 'and'>> = { or: 'or', OR: 'or', and: 'and', AND: 'and' };

/** Cuts a text into its pieces. Never throws: what is wrong is the last token, a fault. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (SPACE.test(text[at]!)) {
      at++;
      continue;
    }
    const token = tokenAt(text, at);
    tokens.push(token);
    if (token.type === 'fault') break;
    at = token.end;
  }
  return tokens;
}

function tokenAt(text: string, at: number): Token {
  const character = text[at]!;
  if (character === '(') return { type: 'open', at, end: at + 1 };
  if (character === ')') return { type: 'close', at, end: at + 1 };
  if (character === '"') return phraseAt(text, at);
  // Two of them begin the name of an option.
  if (character === '-' && text[at + 1] !== '-') return { type: 'minus', at, end: at + 1 };
  KEY.lastIndex = at;
  const key = KEY.exec(text)?.[1];
  if (key !== undefined) return fieldAt(text, at, key);
  const end = wordEnd(text, at);
  const word = text.slice(at, end);
  const type = Object.hasOwn(WORDS, word) ? WORDS[word]! : undefined;
  return type ? { type, at, end } : { type: 'text', text: word, at, end };
}

function fieldAt(text: string, at: number, key: string): Token {
  const valueAt = at + key.length + 1;
  if (text[valueAt] !== '"') {
    const end = wordEnd(text, valueAt);
    return { type: 'field', key: key.toLowerCase(), value: text.slice(valueAt, end), quoted: false, valueAt, at, end };
  }
  const phrase = phraseAt(text, valueAt);
  if (phrase.type !== 'text') return phrase;
  return { type: 'field', key: key.toLowerCase(), value: phrase.text, quoted: true, valueAt, at, end: phrase.end };
}

/** A word goes to the next space, or to a parenthesis that was not opened in it. */
function wordEnd(text: string, from: number): number {
  let open = 0;
  let at = from;
  for (; at < text.length && !SPACE.test(text[at]!); at++) {
    if (text[at] === '(') open++;
    else if (text[at] === ')' && open-- === 0) break;
  }
  return at;
}

/** In quotes, a backslash makes the next character an ordinary one if that is a quote or a backslash. */
function phraseAt(text: string, at: number): Token {
  let phrase = '';
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '"') return { type: 'text', text: phrase, at, end: end + 1 };
    if (text[end] === '\\' && (text[end + 1] === '"' || text[end + 1] === '\\')) end++;
    phrase += text[end];
  }
  const message = 'This quote is not closed. Put a " where the text ends.';
  return faultAt({ code: 'unclosed-quote', at, end: text.length, message });
}

function faultAt(fault: FilterFault): Token {
  return { type: 'fault', fault, at: fault.at, end: fault.end };
}
