/** Bytes of base64 or base64url text, white space ignored; undefined if it is no base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    return undefined;
  }
}

const ascii = (bytes: Uint8Array, start: number, end: number) => String.fromCharCode(...bytes.subarray(start, end));

/** Images we draw, by their first bytes: what a server calls them counts for nothing. */
const IMAGES: readonly (readonly [type: string, is: (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => ascii(bytes, 1, 4) === 'PNG'],
  ['image/jpeg', (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff],
  ['image/gif', (bytes) => ascii(bytes, 0, 4) === 'GIF8'],
  ['image/webp', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP'],
  [
    'image/svg+xml',
    (bytes) => /^\s*(?:<\?xml|<!--|<!doctype svg|<svg)/i.test(ascii(bytes, 0, 256).replace(/^ï»¿/, '')),
  ],
];

/** The MIME type of an image we draw; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  return IMAGES.find(([, is]) => is(bytes))?.[0];
}
