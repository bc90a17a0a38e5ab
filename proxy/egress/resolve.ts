import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ConnectionError } from '@/lib/transports/transport';
import { type AddressClass, CLASSES, classOf, lessPublic } from './address-class';

/** Addresses of a host name, in the order to try. Rejects like dns.lookup. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** The system's own resolver, with its hosts file. */
export const systemResolver: Resolver = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

export interface AddressPolicy {
  /** Link-local addresses and metadata services may be reached. */
  readonly allowLocal: boolean;
  /** The class of the server that led here; absent for an address that a person gave. */
  readonly from?: AddressClass;
}

/** Where a request may go: these addresses and no others. */
export interface Pinned {
  readonly addresses: readonly string[];
  /** The least public of them. */
  readonly reach: AddressClass;
}

/** Names of metadata services, whatever they resolve to here. */
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data']);

/**
 * Resolves the host of `url` once and checks every address it has. Rejects with ConnectionError `address-refused` or
 * `dns-failed`. What connects must use the answer, not the name: a second resolution may say something else.
 */
export async function pin(url: URL, policy: AddressPolicy, resolve: Resolver): Promise<Pinned> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (METADATA_NAMES.has(host.replace(/\.$/, '')) && !policy.allowLocal) throw refused(host, 'a metadata service');
  const addresses = isIP(host) ? [host] : await resolveName(host, resolve);
  const reach = addresses.map(classOf).reduce(lessPublic);
  if (reach === 'local' && !policy.allowLocal) throw refused(host, 'a link-local address or a metadata service');
  const { from } = policy;
  if (from !== undefined && CLASSES.indexOf(reach) < CLASSES.indexOf(from)) {
    throw new ConnectionError({
      code: 'redirect-refused',
      message: `The server leads to ${host}, a ${reach} address, and is itself at a ${from} one.`,
      advice: 'Give that address yourself if it is the right one: a server may not lead us nearer to this machine.',
    });
  }
  return { addresses, reach };
}

async function resolveName(host: string, resolve: Resolver): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(unknownHost(host, code), { cause: error });
  }
  if (addresses.length === 0) throw unknownHost(host, undefined);
  return addresses;
}

function unknownHost(host: string, code: string | undefined): ConnectionError {
  return new ConnectionError({
    code: 'dns-failed',
    message: `The name ${host} could not be resolved${code === undefined ? '' : ` (${code})`}.`,
    advice: 'Check the spelling of the host, and that this machine is online.',
  });
}

function refused(host: string, what: string): ConnectionError {
  return new ConnectionError({
    code: 'address-refused',
    message: `${host} is ${what}, which mcp-inspect does not connect to.`,
    advice: 'Start it with --allow-link-local if that is really what you want.',
  });
}
