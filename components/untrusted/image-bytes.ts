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

/** Width and height of an image in px. */
export type PixelSize = readonly [width: number, height: number];

/**
 * Returns the size that a raster image declares in its header, or undefined if there is none. A few kilobytes can
 * declare gigabytes of pixels, so this is read before the browser decodes them. An svg has the size of its place.
 */
export function declaredSize(bytes: Uint8Array, type: string): PixelSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return SIZES[type]?.(view);
  } catch {
    // The header is cut off.
    return undefined;
  }
}

const SIZES: Readonly<Record<string, (view: DataView) => PixelSize | undefined>> = {
  'image/png': (view) => [view.getUint32(16), view.getUint32(20)],
  'image/gif': (view) => [view.getUint16(6, true), view.getUint16(8, true)],
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

/** Walks the segments to the start of the frame (ITU T.81, B.2.2). */
function jpegSize(view: DataView): PixelSize | undefined {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    // Any number of 0xff may stand before a marker.
    while (view.getUint8(at + 1) === 0xff) at++;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
  }
  return undefined;
}

/** Reads the first chunk (RFC 9649): extended, lossless or lossy. */
function webpSize(view: DataView): PixelSize | undefined {
  const kind = view.getUint8(15);
  if (kind === 0x58) return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1];
  if (kind === 0x4c) {
    const bits = view.getUint32(21, true);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
}
