/** Finding where tokens end in bytes that are known to be JSON in UTF-8, without parsing them: nothing is copied. */

export const BYTE = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  letterN: 0x6e,
  letterU: 0x75,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

const SPACE = 0x20;

/** The first place from `at` where no white space is. */
export function spaceEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end]! <= SPACE) end++;
  return end;
}

/** Just past the string that begins at `start`; the end of the bytes if none ends. */
export function byteStringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  // Most are short, for which this is quicker than `indexOf`.
  for (const soon = Math.min(bytes.length, start + 32); at < soon; at++) {
    if (bytes[at] === BYTE.backslash) at++;
    else if (bytes[at] === BYTE.quote) return at + 1;
  }
  for (at = bytes.indexOf(BYTE.quote, at); at >= 0; at = bytes.indexOf(BYTE.quote, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BYTE.backslash) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return bytes.length;
}

/** Just past the value that begins at `start`. */
export function byteValueEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === BYTE.quote) return byteStringEnd(bytes, start);
  return first === BYTE.openObject || first === BYTE.openArray ? containerEnd(bytes, start) : scalarEnd(bytes, start);
}

function containerEnd(bytes: Uint8Array, start: number): number {
  for (let at = start, depth = 0; at < bytes.length; ) {
    const byte = bytes[at]!;
    if (byte === BYTE.quote) {
      at = byteStringEnd(bytes, at);
      continue;
    }
    at++;
    if (byte === BYTE.openObject || byte === BYTE.openArray) depth++;
    else if ((byte === BYTE.closeObject || byte === BYTE.closeArray) && --depth === 0) return at;
  }
  return bytes.length;
}

/** Of a number, `true`, `false` or `null`. */
function scalarEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let byte = bytes[at]!; at < bytes.length; byte = bytes[++at]!) {
    if (byte <= SPACE || byte === BYTE.comma || byte === BYTE.closeObject || byte === BYTE.closeArray) break;
  }
  return at;
}

/** Whether `bytes[start, end)` are these. */
export function equalsAt(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start !== wanted.length) return false;
  for (let at = 0; at < wanted.length; at++) if (bytes[start + at] !== wanted[at]) return false;
  return true;
}

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
