import { withoutAnsi } from './control-characters';

/** Characters read of a line. */
const READ_CHARS = 2000;
const URL_TEXT = /\bhttps?:\/\/[^\s"'`<>()]{1,200}/gi;
/** Words by which a program says that it waits for connections. */
const SERVES = /\b(?:listening|listens|running|serving|serves|started|starting|ready|available|bound|up)\b/i;
/** An address of this machine with a port, without a scheme: `0.0.0.0:3000`. */
const HOST_AND_PORT = /(?<![\w.:/@-])(localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]):(\d{2,5})\b(?![.\d])/i;
/** A port alone: `listening on 3000`, `Server running on port 8080`, `at :8080`. */
const PORT_ALONE = /(?:\bports?\b[\s:="]{0,4}(\d{2,5})|(?:\bon\s+|\bat\s+|\s:)(\d{3,5}))\b(?![.\d:/%-])/i;
/** Words after which a number is not a port. */
const NOT_A_PORT = /\b(?:process|pid|worker|thread|job|task|session|version)\b/i;
/** Addresses that mean all interfaces of this machine, and the one to connect to. */
const ANY = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Returns the first HTTP address of this machine that a program printed, undefined if there is none. A URL says more
 * than a port, wherever it is. Other addresses are ignored: a program must not choose where to connect.
 */
export function printedUrl(lines: readonly string[]): string | undefined {
  const texts = lines.map((line) => withoutAnsi(line.slice(0, READ_CHARS)));
  return first(texts, urlIn) ?? first(texts, addressIn);
}

function first(texts: readonly string[], find: (text: string) => string | undefined): string | undefined {
  for (const text of texts) {
    const found = find(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function urlIn(text: string): string | undefined {
  return first(
    Array.from(text.matchAll(URL_TEXT), ([found]) => found.replace(/[.,;:!?\]]+$/, '')),
    loopbackUrl,
  );
}

/** Finds an address without a scheme in a line that says that something serves there. */
function addressIn(text: string): string | undefined {
  const served = SERVES.exec(text);
  if (!served || /https?:\/\//i.test(text)) return undefined;
  const [, host, port] = HOST_AND_PORT.exec(text) ?? [];
  if (host !== undefined && isPort(port)) return loopbackUrl(`http://${host}:${port}/`);
  const rest = text.slice(served.index);
  const alone = PORT_ALONE.exec(rest);
  const number = alone?.[1] ?? alone?.[2];
  const isNamed = alone?.[1] !== undefined;
  if (!alone || !isPort(number) || (!isNamed && NOT_A_PORT.test(rest.slice(0, alone.index)))) return undefined;
  return `http://localhost:${number}/`;
}

function isPort(text: string | undefined): boolean {
  const port = Number(text);
  return port > 0 && port < 65_536;
}

function loopbackUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.hostname = ANY.get(url.hostname) ?? url.hostname;
  return LOOPBACK.test(url.hostname) && url.username === '' && url.password === '' ? url.href : undefined;
}
