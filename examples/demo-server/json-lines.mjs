// @ts-check
import { randomUUID } from 'node:crypto';

const LINE_FEED = 0x0a;

/** Splits a byte stream into lines. Works on bytes, because a chunk may end within a character. */
export class LineReader {
  /** @type {Buffer[]} Chunks of the unfinished line. */
  #pending = [];
  #onLine;

  /** @param {(line: string) => void} onLine Called with each line that is not blank, without its line ending. */
  constructor(onLine) {
    this.#onLine = onLine;
  }

  /** @param {Buffer} chunk */
  push(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#pending.push(chunk.subarray(start, end));
      const line = Buffer.concat(this.#pending).toString('utf8').trim();
      this.#pending = [];
      start = end + 1;
      if (line !== '') this.#onLine(line);
    }
    if (start < chunk.length) this.#pending.push(chunk.subarray(start));
  }
}

// JSON.parse turns 9007199254740993 into 9007199254740992. The functions below keep the text instead of the value.

/** JSON text that {@link stringify} inserts unchanged. */
export class RawJson {
  /** @param {string} text Valid JSON without line feeds. */
  constructor(text) {
    this.text = text;
  }
}

/**
 * Works like JSON.stringify, and supports {@link RawJson}.
 *
 * @param {unknown} value
 */
export function stringify(value) {
  const mark = randomUUID();
  /** @type {string[]} */
  const texts = [];
  const json = JSON.stringify(value, (_key, member) =>
    member instanceof RawJson ? `${mark}:${texts.push(member.text) - 1}` : member,
  );
  if (texts.length === 0) return json;
  return json.replace(new RegExp(`"${mark}:(\\d+)"`, 'g'), (_match, index) => texts[Number(index)] ?? 'null');
}

/**
 * Returns the unchanged text of the value at `path`, or undefined. The last of duplicate keys counts, as in JSON.parse.
 *
 * @param {string} text Valid JSON.
 * @param {readonly (string | number)[]} path
 */
export function rawAt(text, path) {
  let found = text.trim();
  for (const step of path) {
    const inside = typeof step === 'number' ? elements(found)[step] : members(found).get(step);
    if (inside === undefined) return undefined;
    found = inside;
  }
  return found;
}

/** @param {string} text @returns {Map<string, string>} */
function members(text) {
  const out = new Map();
  if (text[0] !== '{') return out;
  for (let at = skipSpace(text, 1); text[at] === '"'; ) {
    const keyEnd = valueEnd(text, at);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, start);
    out.set(JSON.parse(text.slice(at, keyEnd)), text.slice(start, end));
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
  return out;
}

/** @param {string} text @returns {string[]} */
function elements(text) {
  /** @type {string[]} */
  const out = [];
  if (text[0] !== '[') return out;
  for (let at = skipSpace(text, 1); at < text.length && text[at] !== ']'; ) {
    const end = valueEnd(text, at);
    out.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return out;
}

/** @param {string} text @param {number} at */
function skipSpace(text, at) {
  let next = at;
  while (text[next] === ' ' || text[next] === '\t' || text[next] === '\r' || text[next] === '\n') next++;
  return next;
}

/** @param {string} text @param {number} start */
function valueEnd(text, start) {
  let depth = 0;
  let at = start;
  do {
    const first = text[at];
    if (first === '"') at = stringEnd(text, at);
    else if (first === '{' || first === '[') {
      depth++;
      at++;
    } else if (first === '}' || first === ']') {
      depth--;
      at++;
    } else if (depth > 0 || first === undefined) at++;
    else while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++;
  } while (depth > 0 && at < text.length);
  return at;
}

/** @param {string} text @param {number} start */
function stringEnd(text, start) {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
