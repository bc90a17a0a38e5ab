import { parseBounded } from '@/lib/json/parse';
import type { RequestId } from '@/lib/json/value';
import { decodeLossy, type Message } from '../classify';
import { type PrintedObject, PrintedObjects } from './printed-objects';

/** A longer line is not decoded whole, and is not a line of an object: only its beginning and end are looked at. */
const LINE_BYTES = 1024 * 1024;
const END_BYTES = 1024;
/** Begins a message, not indented: whatever bracket was open before it, this line does not belong to that. */
const WHOLE_MESSAGE = /^\{\s*["']jsonrpc["']/;

/** Lookups among a server's requests, mostly unanswered ones. Numbers are the seqs of their frames. */
export interface RequestLookup {
  /** The one that waits for this very id. */
  waitingFor(id: RequestId): number | undefined;
  wasAnswered(id: RequestId): boolean;
  readonly onlyPending: number | undefined;
  /** The one that travelled on this HTTP exchange, if it is not answered. */
  onExchange(exchange: number): number | undefined;
  /** This frame looks like the answer to this request. `text`: all lines that were read; undefined for a response. */
  linkUnmatched(request: number, seq: number, text: string | undefined): void;
}

/**
 * Finds frames that look like the answer to a request and are not paired with it: something on stdout or in an HTTP
 * body that is nearly JSON, an object printed over several lines, a response with another id. Reads each frame once,
 * and does O(1) more.
 */
export class UnmatchedAnswers {
  readonly printed = new PrintedObjects();
  readonly #open: RequestLookup;
  /** Lines of the unfinished object: it is read as a whole when it ends. */
  #texts: string[] = [];

  constructor(open: RequestLookup) {
    this.#open = open;
  }

  /** Takes in a non-message. `exchange`: that of an HTTP body; 0 on stdout. Returns the printed object that it ends. */
  addJunk(seq: number, bytes: Uint8Array, exchange: number): PrintedObject | undefined {
    const isLong = bytes.length > LINE_BYTES;
    const text = isLong
      ? decodeLossy(bytes.subarray(0, LINE_BYTES)) + decodeLossy(bytes.subarray(-END_BYTES))
      : decodeLossy(bytes);
    if (exchange !== 0 || isLong) {
      this.addMessage(seq, exchange);
      this.#take(seq, brokenAnswer(text), exchange, text);
      return undefined;
    }
    if (this.printed.isOpen && WHOLE_MESSAGE.test(text)) this.endPrintedObject();
    const object = this.printed.addLine(seq, text, bytes.length);
    this.#texts.push(text);
    if (object) this.#takeText(object.lines[0]!, this.#texts.join('\n'));
    // The first line may be all of it that ever comes.
    else if (this.#texts.length === 1 || !this.printed.isOpen) this.#takeText(seq, text);
    if (!this.printed.isOpen) this.#texts = [];
    return object;
  }

  /** A message came; `stray` is a response that answers no request. */
  addMessage(seq: number, exchange: number, stray?: Pick<Message, 'id' | 'body'>): void {
    if (exchange === 0 && this.printed.isOpen) this.endPrintedObject();
    if (stray) this.#take(seq, { id: stray.id, isSure: Object.hasOwn(stray.body, 'jsonrpc') }, exchange);
  }

  /** The last line of an unfinished object will not come. */
  endPrintedObject(): void {
    this.printed.discardOpen();
    this.#texts = [];
  }

  #takeText(seq: number, text: string): void {
    this.#take(seq, brokenAnswer(text), 0, text);
  }

  #take(seq: number, broken: BrokenAnswer | undefined, exchange: number, text?: string): void {
    const request = broken && this.#requestOf(broken, exchange);
    if (request !== undefined) this.#open.linkUnmatched(request, seq, text);
  }

  #requestOf({ id, isSure }: BrokenAnswer, exchange: number): number | undefined {
    const open = this.#open;
    const only = () => (isSure ? open.onlyPending : undefined);
    const carried = exchange === 0 ? undefined : open.onExchange(exchange);
    if (carried !== undefined) return carried;
    if (id === undefined || id === null) return only();
    const same = open.waitingFor(id) ?? open.waitingFor(inOtherType(id));
    // Skip copies: some servers also print the messages that they send.
    return same ?? (open.wasAnswered(id) ? undefined : only());
  }
}

/** `"3"` for 3, and 3 for `"3"`. */
function inOtherType(id: RequestId): RequestId {
  return typeof id === 'number' ? String(id) : Number(id);
}

/** Characters of a text that are looked through for the members of an answer: half a millisecond. */
const HEAD_CHARS = 64 * 1024;
/** Characters at the end of a longer text: servers built on the TypeScript SDK write `jsonrpc` and `id` last. */
const TAIL_CHARS = 256;
/** Characters looked through for what is wrong, each time somebody looks at it: some 10 ms. */
export const EXPLAINED_CHARS = 1024 * 1024;
/** Characters of a server's text quoted in a sentence. */
const QUOTED_CHARS = 40;

/** A response that a server wrote and that is not a JSON-RPC message. */
export interface BrokenAnswer {
  /** undefined: none that can be read. */
  readonly id: RequestId | null | undefined;
  /** It says `jsonrpc`, so it is a response whatever its id. A log line may have an `id` and an `error` as well. */
  readonly isSure: boolean;
}

/**
 * Tells whether a text that is not a message looks like a response: an object, JSON or nearly, with `result` or
 * `error`, or with `jsonrpc` and `id`, and without a `method`. Looks at no more than 64 KiB of it.
 */
export function brokenAnswer(text: string): BrokenAnswer | undefined {
  const start = startIn(text.slice(0, HEAD_CHARS));
  if (start < 0) return undefined;
  const { names, id } = readLoosely(text, start, HEAD_CHARS);
  if (names.has('method')) return undefined;
  const isSure = names.has('jsonrpc');
  const found = names.has('id') || text.length <= HEAD_CHARS ? id : tailId(text);
  if (names.has('result') || names.has('error')) {
    // Log lines often have an `error`.
    return isSure || found !== undefined ? { id: found, isSure } : undefined;
  }
  return isSure && found !== undefined ? { id: found, isSure } : undefined;
}

/**
 * Why such a text is not a message, in sentences. `lines`: how many lines of stdout it was printed over. `requested`:
 * the id that the answer should have.
 */
export function explainBrokenAnswer(text: string, lines: number, requested?: RequestId | null): string {
  const sentences = [
    lines > 1 && `It is printed over ${lines} lines, and a message must be one line.`,
    faultOf(text) ?? (lines === 1 && 'It is not valid JSON.'),
  ];
  const id = brokenAnswer(text)?.id;
  if (id !== undefined) sentences.push(explainIdMismatch(id, requested) ?? false);
  return sentences.filter(Boolean).join(' ');
}

/** Why a response with this id is not paired with the request; undefined if the ids are the same. */
export function explainIdMismatch(
  id: RequestId | null | undefined,
  requested: RequestId | null | undefined,
): string | undefined {
  if (id === requested || requested === undefined || requested === null) return undefined;
  return `${id === undefined ? 'It has no id' : `Its id is ${idWords(id)}`}, expected ${idWords(requested)}.`;
}

function idWords(id: RequestId | null): string {
  return id === null ? 'null' : `the ${typeof id} ${quoted(JSON.stringify(id))}`;
}

/** Says why the text is not a message; undefined for JSON that could be one, and past `EXPLAINED_CHARS`. */
function faultOf(text: string): string | undefined {
  const isWhole = text.length <= EXPLAINED_CHARS;
  const start = startIn(text);
  const { names, fault, end } = readLoosely(text, start, EXPLAINED_CHARS);
  const parsed = isWhole ? parses(text) : false;
  if (parsed === true) return names.has('result') || names.has('error') ? undefined : NEITHER;
  if (parsed === 'monster') return 'It is nested too deep, or has too many values.';
  const before = text.slice(0, start).trim();
  const isBatch = before === '[';
  if (text.startsWith('\uFEFF')) return 'The line starts with a byte order mark.';
  if (before !== '' && !isBatch) return `The line starts with \`${quoted(before)}\` instead of JSON.`;
  if (fault !== undefined) return fault;
  if (end < 0) return isWhole ? 'It ends in the middle of the JSON.' : undefined;
  const after = text.slice(end, EXPLAINED_CHARS).trim();
  return after === '' || isBatch ? undefined : `There is more text after the JSON: \`${quoted(after)}\`.`;
}

const NEITHER = 'It has neither `result` nor `error`.';

/**
 * Index at which an object begins; -1 for none. Skips a brace that no quote follows: it belongs to the words before.
 */
function startIn(text: string): number {
  return text.search(/\{\s*["']/);
}

function parses(text: string): boolean | 'monster' {
  try {
    parseBounded(text);
    return true;
  } catch (error) {
    return error instanceof RangeError && 'monster';
  }
}

interface LooseObject {
  /** Names of the outermost object's members. */
  readonly names: ReadonlySet<string>;
  readonly id: RequestId | null | undefined;
  /** The first thing that JSON does not allow, in a sentence. */
  readonly fault: string | undefined;
  /** Behind the object; -1 if it doesn't close. */
  readonly end: number;
}

/** Words that JSON has. */
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);
const WORD = /[-+]?[A-Za-z_$][\w$]*/y;
/** As `1e3` and the like are to be read whole. */
const NUMBER = /-?\d[\w.+-]*/y;
const SPACE = /\s*/y;

/** Reads an object at `start` leniently: JavaScript, Python, cut off. Never throws. Reads each character once. */
function readLoosely(text: string, start: number, most: number): LooseObject {
  const names = new Set<string>();
  let id: RequestId | null | undefined;
  let fault: string | undefined;
  let depth = 0;
  let name: string | undefined;
  let commaAt = -1;
  const until = Math.min(text.length, start + most);
  const wrong = (sentence: string) => {
    fault ??= sentence;
  };
  /** A value or a name of the outermost object. */
  const tell = (value: RequestId | null | undefined) => {
    if (depth !== 1) return;
    if (name === 'id') id = value;
    name = undefined;
  };
  for (let at = start; at < until; ) {
    const character = text[at]!;
    if (character === '"' || character === "'") {
      const end = quoteEnd(text, at, until);
      if (character === "'") wrong('Strings in single quotes are not JSON. Use `json.dumps`, not `print` or `str`.');
      if (end < 0) return { names, id, fault, end: -1 };
      const inner = text.slice(at + 1, end - 1);
      if (character === '"' && hasControl(inner)) wrong('A string has a raw control character in it.');
      at = after(SPACE, text, end);
      if (text[at] === ':' && depth === 1 && name === undefined) {
        names.add(inner);
        name = inner;
        at++;
      } else tell(inner);
      commaAt = -1;
      continue;
    }
    if (character === '{' || character === '[') {
      depth++;
      commaAt = -1;
    } else if (character === '}' || character === ']') {
      if (commaAt >= 0) wrong(`A comma before \`${character}\` is not JSON.`);
      depth--;
      commaAt = -1;
      if (depth === 1) name = undefined;
      if (depth === 0) return { names, id, fault, end: at + 1 };
    } else if (character === ',') {
      commaAt = at;
      if (depth === 1) name = undefined;
    } else {
      const word = match(WORD, text, at);
      const number = word === undefined ? match(NUMBER, text, at) : undefined;
      const token = word ?? number;
      if (token !== undefined) {
        if (word !== undefined && !WORDS.has(word)) wrong(`\`${quoted(word)}\` is not JSON.`);
        tell(number !== undefined ? Number(number) : isNull(word) ? null : undefined);
        at += token.length;
        commaAt = -1;
        continue;
      }
    }
    at++;
  }
  return { names, id, fault, end: -1 };
}

function isNull(word: string | undefined): boolean {
  return word === 'null' || word === 'None';
}

/** Just past the closing quote of the string that starts at `at`; -1 if none is before `until`. */
function quoteEnd(text: string, at: number, until: number): number {
  const quote = text[at];
  for (let next = at + 1; next < until; next++) {
    if (text[next] === '\\') next++;
    else if (text[next] === quote) return next + 1;
  }
  return -1;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function after(pattern: RegExp, text: string, at: number): number {
  return at + (match(pattern, text, at)?.length ?? 0);
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x20) return true;
  return false;
}

/** The id at the end of a long text. */
function tailId(text: string): RequestId | null | undefined {
  const found = /["']id["']\s*:\s*(?:(-?\d+)|"([^"\\]*)"|(null|None))\s*\}\s*$/.exec(text.slice(-TAIL_CHARS));
  if (!found) return undefined;
  const [, number, string, nothing] = found;
  if (nothing !== undefined) return null;
  return number === undefined ? string : Number(number);
}

function quoted(text: string): string {
  return text.length <= QUOTED_CHARS ? text : `${text.slice(0, QUOTED_CHARS)}…`;
}
