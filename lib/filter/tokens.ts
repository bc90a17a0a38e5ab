import type { FieldValue } from './ast';
import type { FilterFault } from './fault';
import type { Expression } from './regex-job';

/** A piece of a filter text, at characters [at, end). */
export type Token = { readonly at: number; readonly end: number } & (
  | { readonly type: 'open' | 'close' | 'minus' | 'not' | 'or' | 'and' }
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'regex' } & Expression)
  /** `valueAt` is where the value begins, its opening quote included. */
  | ({ readonly type: 'field'; readonly key: string; readonly valueAt: number } & FieldValue)
  | { readonly type: 'fault'; readonly fault: FilterFault }
);

const SPACE = /\s/;
/** A key and its colon. What goes on with two slashes is the address of something. */
const KEY = /([a-z][a-z-]*):(?!\/\/)/iy;
const WORDS: Readonly<Record<string, 'or' | 'and' | 'not'>> = {
  or: 'or',
  OR: 'or',
  and: 'and',
  AND: 'and',
  not: 'not',
  NOT: 'not',
};

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
  if (character === '/') return regexAt(text, at);
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

/** Ends at the next slash that is neither escaped nor in brackets, as in JavaScript; letters right behind it are flags. */
function regexAt(text: string, at: number): Token {
  let brackets = false;
  for (let close = at + 1; close < text.length; close++) {
    const character = text[close];
    if (character === '\\') close++;
    else if (character === '[') brackets = true;
    else if (character === ']') brackets = false;
    else if (character === '/' && !brackets && close > at + 1) return regex(text, at, close);
  }
  const message = `This expression is not closed. End it with /, or quote it to look for the text: "${text.slice(at, wordEnd(text, at))}".`;
  return faultAt({ code: 'unclosed-regex', at, end: text.length, message });
}

function regex(text: string, at: number, close: number): Token {
  let end = close + 1;
  while (end < text.length && /[a-z]/i.test(text[end]!)) end++;
  const flags = text.slice(close + 1, end);
  if (!/^(?!.*(.).*\1)[imsu]*$/.test(flags)) {
    const message = `What may follow an expression is i, m, s or u. To look for the text, quote it: "${text.slice(at, wordEnd(text, at))}".`;
    return faultAt({ code: 'bad-regex', at: close + 1, end, message });
  }
  const source = text.slice(at + 1, close);
  try {
    new RegExp(source, flags);
  } catch (error) {
    const reason = /: ([^:]+)$/.exec(String(error))?.[1] ?? 'it can’t be read';
    const message = `This is no regular expression: ${reason}. To look for the text, quote it.`;
    return faultAt({ code: 'bad-regex', at, end, message });
  }
  return { type: 'regex', source, flags, at, end };
}

function faultAt(fault: FilterFault): Token {
  return { type: 'fault', fault, at: fault.at, end: fault.end };
}
