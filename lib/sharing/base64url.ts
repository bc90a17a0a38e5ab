import { fromBase64, toBase64 } from '@/lib/recording/base64';

/** Base64 in the alphabet of URLs, without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Throws on anything else. */
export function fromBase64Url(text: string): Uint8Array {
  if (!/^[\w-]*$/.test(text)) throw new Error('not base64url');
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}
