import { BlockList, isIP } from 'node:net';
import { ConnectionError } from '@/lib/transports/transport';
import { isLoopbackName, percentDecoded } from '@/lib/wire/url';
import { classOf } from './address-policy';

/** An HTTP proxy that an environment variable names. Holds a password, so it must never be shown, logged or sent. */
export interface HttpProxy {
  /** The variable, as it is spelled. */
  readonly variable: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Value of `Proxy-Authorization`. Absent: the variable has no user name. */
  readonly authorization?: string;
}

type Environment = Readonly<NodeJS.ProcessEnv>;

/**
 * Returns the HTTP proxy for a URL, by `HTTPS_PROXY` or `HTTP_PROXY`; undefined for a direct connection. Loopback names
 * and addresses, link-local addresses and what `NO_PROXY` lists are direct. Throws ConnectionError `proxy-invalid`.
 */
export function httpProxyFor(url: URL, environment: Environment): HttpProxy | undefined {
  const found = variable(environment, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  if (!found) return undefined;
  const host = bare(url.hostname);
  const port = url.port || DEFAULT_PORTS.get(url.protocol)!;
  if (isLoopbackName(url.hostname) || isLoopbackName(host) || isNearAddress(host)) return undefined;
  const [, exceptions = ''] = variable(environment, 'no_proxy') ?? [];
  return isExempt(host, port, exceptions) ? undefined : parseProxy(...found);
}

const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['http:', '80'],
  ['https:', '443'],
]);

/** True for addresses that mean another machine at the proxy than here. */
function isNearAddress(host: string): boolean {
  return isIP(host) !== 0 && ['loopback', 'local'].includes(classOf(host));
}

/** Returns name and value of a variable. Lower case wins, as for curl; an empty value counts as missing. */
function variable(environment: Environment, name: string): readonly [name: string, value: string] | undefined {
  for (const spelled of [name, name.toUpperCase()]) {
    const value = environment[spelled]?.trim();
    if (value) return [spelled, value];
  }
  return undefined;
}

function parseProxy(name: string, value: string): HttpProxy {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(text)) throw invalid(name);
  const { protocol, host, hostname, port, username, password, pathname, search, hash } = new URL(text);
  // A password with an unescaped `/`, `?` or `#` ends the host too early. Its rest must not be taken for a host.
  const isCut = `${pathname}${search}${hash}`.includes('@');
  if ((protocol !== 'http:' && protocol !== 'https:') || isCut) throw invalid(name);
  const credentials = `${percentDecoded(username)}:${percentDecoded(password)}`;
  return {
    variable: name,
    origin: `${protocol}//${host}`,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || DEFAULT_PORTS.get(protocol)),
    tls: protocol === 'https:',
    ...(credentials !== ':' && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
  };
}

/** Does not quote the value, which may contain a password. */
function invalid(name: string): ConnectionError {
  return new ConnectionError({
    code: 'proxy-invalid',
    message: `The value of ${name} is not the URL of an HTTP proxy.`,
    advice:
      'Write it as http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded. SOCKS is not supported.',
  });
}

/**
 * Returns true if `NO_PROXY` lists this host. Entries are separated by commas or spaces: `*`, a domain (with or without
 * a leading dot, including its subdomains), an IP address, or a network such as `10.0.0.0/8`. A port may follow.
 */
function isExempt(host: string, port: string, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry === '*' || (entry !== '' && matches(entry, host, port)));
}

function matches(entry: string, host: string, port: string): boolean {
  const network = /^\[?([\da-f.:]+?)\]?\/(\d{1,3})$/.exec(entry);
  if (network) return isInNetwork(host, network[1]!, Number(network[2]));
  // An IPv6 address without brackets has no port.
  const [, name = entry, only] = (isIP(entry) === 0 && /^(.+?)(?::(\d{1,5}))?$/.exec(entry)) || [];
  if (only !== undefined && only !== port) return false;
  const wanted = asHost(name);
  return host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`));
}

function isInNetwork(host: string, network: string, prefix: number): boolean {
  const version = isIP(host);
  if (version === 0 || version !== isIP(network) || prefix > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list.check(host, family);
}

/** Returns an entry as URLs write hosts, for example an international name in ASCII. */
function asHost(entry: string): string {
  const name = entry.replace(/^\*?\./, '');
  const text = `http://${isIP(name) === 6 ? `[${name}]` : name}`;
  return URL.canParse(text) ? bare(new URL(text).hostname) : name;
}

/** Returns a host without brackets and without the dot that may end a name. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
