/** Bytes turned into characters at a time, a multiple of 3; more would overflow the call stack. */
const SLICE = 24_576;

/** Bytes as base64, padded, in one line. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += SLICE) {
    parts.push(btoa(String.fromCharCode.apply(null, bytes.subarray(at, at + SLICE) as unknown as number[])));
  }
  return parts.join('');
}

/** The bytes of a base64 text. Throws on anything else. */
export function fromBase64(text: string): Uint8Array {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
