import { decodePart, type JsonOutline, stringBreak } from './json-outline';

/** Bytes of a string decoded before others get a turn. */
const PORTION = 64 * 1024;

/** The text that a string stands for, escapes read, as UTF-8: what to read it as JSON by. Yields now and then. */
export function* stringBytes(outline: JsonOutline, node: number): Generator<undefined, Uint8Array> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const end = outline.end(node) - 1;
  let left = '';
  for (let at = outline.start(node) + 1; at < end; ) {
    const to = end - at <= PORTION ? end : stringBreak(outline.bytes, at, at + PORTION);
    const text = left + decodePart(outline.bytes, at, to);
    // One half of a character may be an escape of its own.
    const half = to < end && /[\ud800-\udbff]$/.test(text) ? -1 : text.length;
    left = text.slice(half);
    parts.push(encoder.encode(text.slice(0, half)));
    at = to;
    yield;
  }
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
