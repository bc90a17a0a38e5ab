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

/** Characters of base64 decoded at a time, a multiple of 4. */
const PORTION = 32_768;

/** The bytes of a base64 text of any length that is there in ASCII, without making one string of it. Throws on anything else. */
export function fromBase64Bytes(text: Uint8Array): Uint8Array {
  const decoder = new TextDecoder('latin1');
  const bytes = new Uint8Array(Math.ceil(text.length / 4) * 3);
  let length = 0;
  for (let at = 0; at < text.length; at += PORTION) {
    const part = fromBase64(decoder.decode(text.subarray(at, at + PORTION)));
    if (at + PORTION < text.length && part.length !== (PORTION / 4) * 3) throw new Error('not base64');
    bytes.set(part, length);
    length += part.length;
  }
  return bytes.subarray(0, length);
}

/** Base64 in the alphabet of URLs, without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Throws on anything else. */
export function fromBase64Url(text: string): Uint8Array {
  if (!/^[\w-]*$/.test(text)) throw new Error('not base64url');
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}
