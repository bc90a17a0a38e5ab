import { SHAPES, type Shape } from './shapes';

/** What names of secrets have in them, in any case. */
const CORES = [
  'token',
  'secret',
  'passw',
  'passphrase',
  'passcode',
  'pwd',
  'credential',
  'creds',
  'cookie',
  'authorization',
  'bearer',
  'apikey',
  'key',
  'session',
  'jwt',
  'verifier',
  'device.?code',
  'saml',
];

/** Words that are secrets' names only in URLs and forms. */
const QUERY_NAMES = [
  'code',
  'state',
  'sig',
  'signature',
  'hmac',
  'key',
  'auth',
  'sid',
  'pass',
  'ticket',
  'assertion',
  'x-amz-[A-Za-z-]+',
  'x-goog-[A-Za-z-]+',
];

const core = `(?:${CORES.map(anyCase).join('|')})`;
const name = '[A-Za-z0-9_.-]';
/** What comes behind a name: its value, or, where an object says what it is called, the next member or the end. */
const separator = `(?:\\s{0,4}[:=]|%3[dD]|\\\\{0,7}["']\\s{0,4}[:=,}])`;

/**
 * What any secret begins with, or its name: most text has none of these, and is not looked at any further. Groups: what a
 * shape begins with; the beginning of a flag; what stands before a name in a URL. No group: what is in a name.
 */
const TRIGGERS =
  `(${[...new Set(SHAPES.map(({ start }) => start))].join('|')})` +
  `|(?<![\\w-])(--?)(?=${name}{0,32}?${core})` +
  `|(?:^|([?&#;"]))(?=(?:${QUERY_NAMES.map(anyCase).join('|')})(?:=|%3[dD]))` +
  `|${core}(?=${name}{0,24}${separator})`;

/** An escape of a character that is in secrets: what else there is stands between the lines. */
const ESCAPED = '|\\\\u00[2-7]';

const ANY = new RegExp(TRIGGERS + ESCAPED);

/** True for byte text that has to be looked at. */
export function hasTrigger(text: string): boolean {
  return ANY.test(text);
}

/** Something in a text that a secret may begin at. */
export type Trigger =
  | { readonly is: 'shape'; readonly at: number; readonly shapes: readonly Shape[] }
  | { readonly is: 'flag' | 'query' | 'name'; readonly at: number };

const byStart = new Map<string, readonly Shape[]>();

/** The shapes that begin like this. */
function shapesFor(start: string): readonly Shape[] {
  let shapes = byStart.get(start);
  if (!shapes) {
    shapes = SHAPES.filter((shape) => new RegExp(`^(?:${shape.start})$`).test(start));
    byStart.set(start, shapes);
  }
  return shapes;
}

const EACH = new RegExp(TRIGGERS, 'g');

/** The first trigger in a text from a place on. */
export function nextTrigger(text: string, from: number): Trigger | undefined {
  EACH.lastIndex = from;
  const found = EACH.exec(text);
  if (!found) return undefined;
  const [all, start, flag, mark] = found;
  const at = found.index;
  if (start !== undefined) return { is: 'shape', at, shapes: shapesFor(start) };
  if (flag !== undefined) return { is: 'flag', at: at + flag.length };
  return all === (mark ?? '') ? { is: 'query', at: at + all.length } : { is: 'name', at };
}

function anyCase(word: string): string {
  return word.replace(/[a-z](?![^[]*\])/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
