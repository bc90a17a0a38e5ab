import { BYTE } from '@/lib/wire/json-bytes';

const PERCENT = 0x25;
const SPACE = 0x20;
const LETTER_U = 0x75;

/**
 * False if what bytes say at a place does not go on as `head` does, of which they have the first four; true if it does, or may once it is
 * read: escapes of JSON, however often they were escaped themselves, percent-encoding, colours and line breaks.
 */
export function mayBeAt(head: Uint8Array, bytes: Uint8Array, start: number): boolean {
  let at = start + 4;
  for (let place = 4; place < head.length; place++, at++) {
    const wanted = head[place]!;
    const byte = bytes[at];
    if (byte === undefined) return false;
    if (byte === PERCENT || byte < SPACE) return true;
    if (byte === wanted) continue;
    while (bytes[at] === BYTE.backslash) at++;
    if (byte !== BYTE.backslash) return false;
    // A control character is written as a letter.
    if (bytes[at] === LETTER_U || wanted < SPACE) return true;
    if (bytes[at] !== wanted) return false;
  }
  return true;
}
