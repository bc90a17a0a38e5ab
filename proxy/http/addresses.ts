import { BlockList, isIP, isIPv6 } from 'node:net';
import { StartError } from './listen';

/** Where to listen, and the names under which browsers may reach it. */
export interface Binding {
  /** An IP address. */
  readonly address: string;
  /** What Host may say before the port, and Origin after `http://`; lower case, IPv6 in brackets. */
  readonly names: readonly string[];
  /** The one that goes into links. */
  readonly shown: string;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const NAME = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+$|^\[[0-9a-f:.]+\]$/;

/** However they are spelled: `::0` and `::ffff:0.0.0.0` are in this list too. */
const WILDCARDS = new BlockList();
WILDCARDS.addAddress('0.0.0.0', 'ipv4');
WILDCARDS.addAddress('::', 'ipv6');

/**
 * Checks where to listen. `host` is an IP address, or `localhost`, which is taken as 127.0.0.1 because as a name it
 * could be either family; `hostNames` are further names to answer to. `hasPublicUrl`: browsers come by another address,
 * which names us too. Throws StartError: `host-wildcard` for an address that means all networks when nothing names us,
 * `host-name` for what is neither.
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

/** True for a name or address as browsers send it in Host, without the port: lower case, IPv6 in brackets. */
function isHostName(name: string): boolean {
  return NAME.test(name);
}

function bracketed(name: string): string {
  return isIPv6(name) ? `[${name}]` : name;
}

function noNames(host: string): StartError {
  return new StartError({
    code: 'host-wildcard',
    message: `${host} means every network of this machine, and no name to answer to was given.`,
    advice:
      'Listen on one address, add the names that browsers use for this machine, or add --public-url with the address they open.',
  });
}

function badName(name: string): StartError {
  return new StartError({
    code: 'host-name',
    message: `${JSON.stringify(name)} is not a host to listen on or to answer to.`,
    advice: 'Give an IP address to listen on, and names as the browser shows them: no http://, no port.',
  });
}

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
const PUBLIC_URL_WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/** Reads `http(s)://host[:port][/base]` as a browser would. Undefined for anything else. */
export function readPublicUrl(text: string): PublicUrl | undefined {
  const base = WRITTEN.exec(text)?.[2];
  if (base === undefined || DOTS.test(base) || !URL.canParse(text)) return undefined;
  const { origin, host, hostname } = new URL(text);
  if (!isHostName(hostname) || PUBLIC_URL_WILDCARDS.has(hostname)) return undefined;
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
