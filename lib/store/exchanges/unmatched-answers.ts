import type { RequestId } from '@/lib/wire/message';
import { decodeLossy, type Message } from '../classify';
import { methodOfBareResult } from './bare-results';
import { type PrintedObject, PrintedObjects } from './printed-objects';

/** A line longer than this, in bytes, is not part of a printed object, and only its start and end are decoded. */
const LINE_BYTES = 1024 * 1024;
const END_BYTES = 1024;
/** The start of a message without indentation, which cannot belong to an open object. */
const WHOLE_MESSAGE = /^\{\s*["']jsonrpc["']/;

/** Lookups among the client's requests. `R` stands for a request: the seq of its frame, or its id. */
interface RequestLookup<R> {
  /** The request that waits for exactly this id. */
  waitingFor(id: RequestId): R | undefined;
  wasAnswered(id: RequestId): boolean;
  readonly onlyPending: R | undefined;
  /** The oldest request of this method that waits. */
  oldestOf(method: string): R | undefined;
  /** The unanswered request on this HTTP exchange. */
  onExchange(exchange: number): R | undefined;
  /** Called when a frame looks like the response to a request. `text`: its lines; undefined for a JSON-RPC response. */
  linkUnmatched(request: R, seq: number, text: string | undefined): void;
}

/**
 * Finds frames that look like the response to a request but are not paired with it: malformed JSON on stdout or in an
 * HTTP body, an object printed over several lines, a response with another id. Reads each frame once.
 */
export class UnmatchedAnswers<R = number> {
  readonly printed = new PrintedObjects();
  readonly #open: RequestLookup<R>;
  /** Lines of the unfinished object, which is read when it is complete. */
  #texts: string[] = [];

  constructor(open: RequestLookup<R>) {
    this.#open = open;
  }

  /** Adds a frame that is not a message. `exchange` is 0 on stdout. Returns the printed object that it completes. */
  addJunk(seq: number, bytes: Uint8Array, exchange: number): PrintedObject | undefined {
    const isLong = bytes.length > LINE_BYTES;
    const text = isLong
      ? decodeLossy(bytes.subarray(0, LINE_BYTES)) + decodeLossy(bytes.subarray(-END_BYTES))
      : decodeLossy(bytes);
    if (exchange !== 0 || isLong) {
      this.addMessage(seq, exchange);
      this.#link(seq, brokenAnswer(text), exchange, text);
      return undefined;
    }
    if (this.printed.isOpen && WHOLE_MESSAGE.test(text)) this.endPrintedObject();
    const object = this.printed.addLine(seq, text, bytes.length);
    this.#texts.push(text);
    if (object) this.#linkText(object.lines[0]!, this.#texts.join('\n'));
    // The rest of the object may never arrive.
    else if (this.#texts.length === 1 || !this.printed.isOpen) this.#linkText(seq, text);
    if (!this.printed.isOpen) this.#texts = [];
    return object;
  }

  /** Called for each message. `stray` is a response without a request. */
  addMessage(seq: number, exchange: number, stray?: Pick<Message, 'id' | 'body'>): void {
    if (exchange === 0 && this.printed.isOpen) this.endPrintedObject();
    if (stray) this.#link(seq, { id: stray.id, isSure: Object.hasOwn(stray.body, 'jsonrpc') }, exchange);
  }

  /** Adds an event about a whole object on stdout without a newline after it. */
  addUnended(seq: number, text: string): void {
    this.#linkText(seq, text);
  }

  /** Discards the unfinished object. */
  endPrintedObject(): void {
    this.printed.discardOpen();
    this.#texts = [];
  }

  #linkText(seq: number, text: string): void {
    this.#link(seq, brokenAnswer(text), 0, text);
  }

  #link(seq: number, broken: BrokenAnswer | undefined, exchange: number, text?: string): void {
    const request = broken && this.#requestOf(broken, exchange);
    if (request !== undefined) this.#open.linkUnmatched(request, seq, text);
  }

  #requestOf({ id, isSure, resultOf }: BrokenAnswer, exchange: number): R | undefined {
    const open = this.#open;
    if (resultOf !== undefined && exchange === 0) return open.oldestOf(resultOf);
    const only = () => (isSure ? open.onlyPending : undefined);
    const carried = exchange === 0 ? undefined : open.onExchange(exchange);
    if (carried !== undefined) return carried;
    if (id === undefined || id === null) return only();
    const same = open.waitingFor(id) ?? open.waitingFor(inOtherType(id));
    // Skip copies. Some servers also print the messages that they send.
    return same ?? (open.wasAnswered(id) ? undefined : only());
  }
}

/** Returns `"3"` for 3 and 3 for `"3"`. */
function inOtherType(id: RequestId): RequestId {
  return typeof id === 'number' ? String(id) : Number(id);
}

/** Characters searched for the members of a response. Takes half a millisecond. */
const HEAD_CHARS = 64 * 1024;
/** Characters searched at the end of a longer text. The TypeScript SDK writes `jsonrpc` and `id` last. */
const TAIL_CHARS = 256;
/** Characters of server text quoted in a sentence. */
const QUOTED_CHARS = 40;

/** A malformed response. */
interface BrokenAnswer {
  /** undefined if there is no readable id. */
  readonly id: RequestId | null | undefined;
  /** True if it has `jsonrpc`, so that it is certainly a response. A log line may also have an `id` and an `error`. */
  readonly isSure: boolean;
  /** The method whose result it is, if it is the result alone. */
  readonly resultOf?: string;
}

/**
 * Recognises text that looks like a response: an object with `result` or `error`, or with `jsonrpc` and `id`, and
 * without `method`. The JSON may be malformed. Reads at most 64 KiB. Also recognises a result alone.
 */
export function brokenAnswer(line: string): BrokenAnswer | undefined {
  const text = unwrapped(line);
  const start = startIn(text.slice(0, HEAD_CHARS));
  if (start < 0) return undefined;
  const { names, id } = readLoosely(text, start, HEAD_CHARS);
  if (names.has('method')) return undefined;
  const isSure = names.has('jsonrpc');
  const found = names.has('id') || text.length <= HEAD_CHARS ? id : tailId(text);
  if (names.has('result') || names.has('error')) {
    // Log lines often have an `error` too.
    return isSure || found !== undefined ? { id: found, isSure } : undefined;
  }
  if (isSure && found !== undefined) return { id: found, isSure };
  const resultOf = methodOfBareResult(text, names);
  return resultOf === undefined ? undefined : { id: undefined, isSure, resultOf };
}

/** Returns the message in a text that hides it: in UTF-16, or in a JSON string. */
export function unwrapped(text: string): string {
  const plain = text.includes('\0') ? text.replaceAll('\0', '') : text;
  if (!/^\s*"\s*\{/.test(plain)) return plain;
  try {
    return String(JSON.parse(plain));
  } catch {
    return plain;
  }
}

/**
 * Returns the index where an object starts, or -1. Skips a brace without a quote after it, which is part of a log text.
 */
export function startIn(text: string): number {
  return text.search(/\{\s*["']/);
}

interface LooseObject {
  /** Member names of the outermost object. */
  readonly names: ReadonlySet<string>;
  readonly id: RequestId | null | undefined;
  /** The first syntax error, as a sentence. */
  readonly fault: string | undefined;
  /** Index after the object; -1 if it is not closed. */
  readonly end: number;
}

const JSON_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);
const WORD = /[-+]?[A-Za-z_$][\w$]*/y;
/** Also matches malformed numbers such as `1e3x`. */
const NUMBER = /-?\d[\w.+-]*/y;
const SPACE = /\s*/y;

/** Reads an object leniently: JavaScript, Python or truncated. Never throws. Reads each character once. */
export function readLoosely(text: string, start: number, most: number): LooseObject {
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
  /** Reads a value of the outermost object. */
  const readValue = (value: RequestId | null | undefined) => {
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
      if (character === '"' && hasControl(inner)) wrong('A string contains a raw control character.');
      at = after(SPACE, text, end);
      if (text[at] === ':' && depth === 1 && name === undefined) {
        names.add(inner);
        name = inner;
        at++;
      } else readValue(inner);
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
        if (word !== undefined && !JSON_WORDS.has(word)) wrong(`\`${quotedLine(word)}\` is not JSON.`);
        readValue(number !== undefined ? Number(number) : isNull(word) ? null : undefined);
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

/** Returns the index after the closing quote of the string at `at`; -1 if there is none before `until`. */
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

/** Reads the id at the end of a long text. */
function tailId(text: string): RequestId | null | undefined {
  const found = /["']id["']\s*:\s*(?:(-?\d+)|"([^"\\]*)"|(null|None))\s*\}\s*$/.exec(text.slice(-TAIL_CHARS));
  if (!found) return undefined;
  const [, number, string, nothing] = found;
  if (nothing !== undefined) return null;
  return number === undefined ? string : Number(number);
}

export function quotedLine(text: string): string {
  return text.length <= QUOTED_CHARS ? text : `${text.slice(0, QUOTED_CHARS)}…`;
}
