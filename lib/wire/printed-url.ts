import { withoutAnsi } from './control-characters';

/** Characters read of a line. */
const READ_CHARS = 2000;
const URL_TEXT = /\bhttps?:\/\/[^\s"'`<>()]{1,200}/gi;
/** A port that a program says it listens on, without a URL: `listening on 3000`, `Server running on port 8080`. */
const PORT_TEXT = /\b(?:listening|running|serving|started|ready)\b[^\d\n]{0,40}(?<![\d.])(\d{2,5})\b(?![.\d])/i;
/** Addresses that mean all interfaces of this machine, and the one to connect to. */
const ANY = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Returns the first HTTP address of this machine that a program printed, undefined if there is none. Other addresses
 * are ignored: a program must not choose where to connect.
 */
export function printedUrl(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const text = withoutAnsi(line.slice(0, READ_CHARS));
    for (const [found] of text.matchAll(URL_TEXT)) {
      const url = loopbackUrl(found.replace(/[.,;:!?\]]+$/, ''));
      if (url !== undefined) return url;
    }
    const port = Number(PORT_TEXT.exec(text)?.[1]);
    if (port > 0 && port < 65_536 && !/https?:\/\//i.test(text)) return `http://localhost:${port}/`;
  }
  return undefined;
}

function loopbackUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.hostname = ANY.get(url.hostname) ?? url.hostname;
  return LOOPBACK.test(url.hostname) && url.username === '' && url.password === '' ? url.href : undefined;
}
