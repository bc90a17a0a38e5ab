// @ts-check
// JSON.parse turns 9007199254740993 into 9007199254740992. Where that matters we keep the text instead of the value.
import { randomUUID } from 'node:crypto';

/** JSON text that {@link stringify} puts in as it stands. */
export class RawJson {
  /** @param {string} text Valid JSON without line feeds. */
  constructor(text) {
    this.text = text;
  }
}

/**
 * JSON.stringify that understands {@link RawJson}.
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
 * The text of the value at `path`, exactly as it was written; undefined if nothing is there. Of duplicate keys the last
 * counts, as in JSON.parse.
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
