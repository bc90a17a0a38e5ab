import { BlockList, isIP, isIPv6 } from 'node:net';
import { StartError } from './listen';

/** The address to listen on, and the names that browsers may use for it. */
interface Binding {
  /** An IP address. */
  readonly address: string;
  /** Host names that requests may be for, without port. Lower case, IPv6 in brackets. */
  readonly names: readonly string[];
  /** The name to use in links. */
  readonly shown: string;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const NAME = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+$|^\[[0-9a-f:.]+\]$/;

/** Addresses that mean all networks. The list also matches other spellings, such as `::0` and `::ffff:0.0.0.0`. */
const WILDCARDS = new BlockList();
WILDCARDS.addAddress('0.0.0.0', 'ipv4');
WILDCARDS.addAddress('::', 'ipv6');

/**
 * Checks the address to listen on and its names. `host` is an IP address, or `localhost`, which means 127.0.0.1 because
 * the name could be either family. A wildcard address needs a name: one of `hostNames`, or a public URL. Throws
 * StartError `host-wildcard` if it has none, and `host-name` for invalid names.
 */
export function resolveBinding(host: string, hostNames: readonly string[], hasPublicUrl = false): Binding {
  const address = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1');
  if (!isIP(address)) throw badName(host);
  const extra = hostNames.map((name) => bracketed(name.toLowerCase()));
  const wrong = extra.find((name) => !isHostName(name));
  if (wrong !== undefined) throw badName(wrong);
  const wildcard = WILDCARDS.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  const loopback = hasPublicUrl ? (isIPv6(address) ? '[::1]' : '127.0.0.1') : undefined;
  const shown = wildcard ? (extra[0] ?? loopback) : bracketed(address);
  if (shown === undefined) throw noNames(host);
  return { address, names: [...LOOPBACK_NAMES, shown, ...extra], shown };
}

/** True for a valid name or address of a Host header, without port: lower case, IPv6 in brackets. */
function isHostName(name: string): boolean {
  return NAME.test(name);
}

function bracketed(name: string): string {
  return isIPv6(name) ? `[${name}]` : name;
}

function noNames(host: string): StartError {
  return new StartError({
    code: 'host-wildcard',
    message: `${host} listens on every network of this machine, which needs a host name.`,
    advice:
      'Listen on one address, add the names that browsers use for this machine, or add --page url=with the address they open.',
  });
}

function badName(name: string): StartError {
  return new StartError({
    code: 'host-name',
    message: `${JSON.stringify(name)} is not a valid host.`,
    advice: 'Use an IP address to listen on, and names as the browser shows them, without http:// and port.',
  });
}

/** An address at which browsers reach this proxy through a port mapping, a tunnel or an ingress. */
export interface PublicUrl {
  /** The Host header of its requests: `name`, or `name:port` unless the port is the scheme's default. */
  readonly authority: string;
  /** The Origin header of its pages: scheme and authority. */
  readonly origin: string;
  /** The path prefix, without a slash at the end; `''` at the root. */
  readonly base: string;
  /** The URL of the page. */
  readonly href: string;
}

/** Rejects everything that `new URL` would change or drop, such as white space, backslashes, user names and queries. */
const WRITTEN = /^https?:\/\/([^\s/?#@\\]+)((?:\/[\w.~-]+)*)\/?$/i;
const DOTS = /\/\.{1,2}(?:\/|$)/;
/** Wildcard addresses, which no browser can open. */
const WILDCARD_NAMES: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/** Parses `http(s)://host[:port][/base]` as a browser would. Returns undefined for anything else. */
export function readPublicUrl(text: string): PublicUrl | undefined {
  const base = WRITTEN.exec(text)?.[2];
  if (base === undefined || DOTS.test(base) || !URL.canParse(text)) return undefined;
  const { origin, host, hostname } = new URL(text);
  if (!isHostName(hostname) || WILDCARD_NAMES.has(hostname)) return undefined;
  return { authority: host, origin, base, href: `${origin}${base}/` };
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * Returns the `--page url` value that would allow a refused Host. undefined unless it is a name of this machine,
 * because a foreign site that points its name at us must not be recommended.
 */
export function publicUrlFor(host: string): string | undefined {
  return LOOPBACK.test(host) ? readPublicUrl(`http://${host}`)?.origin : undefined;
}
