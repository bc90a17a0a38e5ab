import { BYTE } from './json-bytes';
/** Finding where tokens of JSON text end, without parsing it: nothing is copied, and depth is counted, not recursed into. */

/** The first index from `from` that is no JSON white space; the text's length if there is none. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Just past the closing quote of the string that starts at `start`; -1 if no string starts there, or none ends. */
export function stringEnd(text: string, start: number): number {
  if (text.charCodeAt(start) !== BYTE.quote) return -1;
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BYTE.backslash) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

/** Just past the value that starts at `start`, which is stepped over and not checked; -1 where no value can end. */
export function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BYTE.quote) {
      const end = stringEnd(text, at);
      if (end < 0 || depth === 0) return end;
      at = end - 1;
    } else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return at > start ? at : -1;
      depth--;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === 0x2c || code === 0x3a || isSpace(code))) {
      return at > start && code !== 0x3a ? at : -1;
    }
  }
  return -1;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
