import { decodePart, type JsonOutline, stringBreak } from './json-outline';

/** Bytes of a string decoded before others get a turn. */
const PORTION = 64 * 1024;

/** The text that a string stands for, escapes read. Yields now and then. */
export function* stringText(outline: JsonOutline, node: number): Generator<undefined, string> {
  let text = '';
  for (const part of stringParts(outline, node)) {
    text += part;
    yield;
  }
  return text;
}

/** The same as UTF-8: what to read it as JSON by. */
export function* stringBytes(outline: JsonOutline, node: number): Generator<undefined, Uint8Array> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let left = '';
  for (const part of stringParts(outline, node)) {
    const text = left + part;
    // One half of a character may be an escape of its own.
    const whole = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    left = text.slice(whole);
    parts.push(encoder.encode(text.slice(0, whole)));
    yield;
  }
  parts.push(encoder.encode(left));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function* stringParts(outline: JsonOutline, node: number): Generator<string> {
  const end = outline.end(node) - 1;
  for (let at = outline.start(node) + 1; at < end; ) {
    const to = end - at <= PORTION ? end : stringBreak(outline.bytes, at, at + PORTION);
    yield decodePart(outline.bytes, at, to);
    at = to;
  }
}
