import { useEffect, useState } from 'react';

/** Returns a `blob:` URL for bytes while the component is mounted. undefined until it exists. */
export function useBlobUrl(bytes: Uint8Array<ArrayBuffer> | undefined, mimeType: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (bytes === undefined) return;
    const created = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
    setUrl(created);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(created);
    };
  }, [bytes, mimeType]);
  return url;
}

/** Decodes base64 or base64url, ignoring white space. Returns undefined if the text is invalid. */
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

/** Image types we show, recognised by their first bytes. The declared type is not trusted. */
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

/** Returns the MIME type of an image we show, or undefined for anything else. */
export function sniffImageType(bytes: Uint8Array): string | undefined {
  return IMAGES.find(([, is]) => is(bytes))?.[0];
}
