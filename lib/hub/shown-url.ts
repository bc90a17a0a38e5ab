import { maskedUrl } from '@/lib/transports/masking';
import { isUrl, percentDecoded } from '@/lib/wire/url';

/** Returns a URL as the connection's title shows it. */
export function shownUrl(url: string): string {
  return isUrl(url) ? maskedUrl(splitCredentials(url).url) : url;
}

/** Splits `https://user:password@host` into the URL and the `Authorization` header it stands for. */
export function splitCredentials(text: string): { readonly url: string; readonly authorization?: string } {
  const url = new URL(text);
  if (url.username === '' && url.password === '') return { url: text };
  const pair = `${percentDecoded(url.username)}:${percentDecoded(url.password)}`;
  url.username = '';
  url.password = '';
  return {
    url: url.href,
    authorization: `Basic ${btoa(Array.from(new TextEncoder().encode(pair), (byte) => String.fromCharCode(byte)).join(''))}`,
  };
}
