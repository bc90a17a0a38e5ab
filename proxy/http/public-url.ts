import { isHostName } from './bind-address';

/** An address at which browsers reach this proxy through a port mapping, a tunnel or an ingress. */
export interface PublicUrl {
  /** What Host says there: `name`, or `name:port` unless the port is the scheme's own. */
  readonly authority: string;
  /** What Origin says there: scheme and authority. */
  readonly origin: string;
  /** The path that everything is below, without a slash at its end; `''` at the root. */
  readonly base: string;
  /** The page. */
  readonly href: string;
}

/** Anything that `new URL` would change or drop (white space, backslashes, user names, queries) does not match. */
const WRITTEN = /^https?:\/\/([^\s/?#@\\]+)((?:\/[\w.~-]+)*)\/?$/i;
const DOTS = /\/\.{1,2}(?:\/|$)/;
/** Both families of it mean every network: nobody can open that. */
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/** Reads `http(s)://host[:port][/base]` as a browser would. Undefined for anything else. */
export function readPublicUrl(text: string): PublicUrl | undefined {
  const base = WRITTEN.exec(text)?.[2];
  if (base === undefined || DOTS.test(base) || !URL.canParse(text)) return undefined;
  const { origin, host, hostname } = new URL(text);
  if (!isHostName(hostname) || WILDCARDS.has(hostname)) return undefined;
  return { authority: host, origin, base, href: `${origin}${base}/` };
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * The `--public-url` value that would allow a refused Host. Undefined unless it is this machine's own name: a
 * site that points its name at us must not get us to recommend it.
 */
export function publicUrlFor(host: string): string | undefined {
  return LOOPBACK.test(host) ? readPublicUrl(`http://${host}`)?.origin : undefined;
}
