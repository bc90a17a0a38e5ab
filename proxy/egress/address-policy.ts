import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { ConnectionError } from '@/lib/transports/transport';

/** Returns the addresses of a host name, in the order to try. Rejects like dns.lookup. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** The system's resolver, including its hosts file. */
export const systemResolver: Resolver = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

interface AddressPolicy {
  /** Allows link-local addresses and metadata services. */
  readonly allowLocal: boolean;
  /** The reach of the server that named this address. Absent for an address that the user gave. */
  readonly from?: Reach;
  /**
   * An HTTP proxy may resolve a name that this machine can't. `typed`: the user gave the name. `named`: a server did,
   * so nobody would have checked its addresses. Absent: there is no HTTP proxy.
   */
  readonly elsewhere?: 'typed' | 'named';
}

/** How public a server is. `unknown`: only an HTTP proxy can resolve its name. */
export type Reach = AddressClass | 'unknown';

/** The only addresses that a request may go to. */
export interface Pinned {
  /** Empty if only an HTTP proxy can resolve the name. */
  readonly addresses: readonly string[];
  /** The least public class among them. */
  readonly reach: Reach;
}

/** Names of metadata services, which are refused whatever they resolve to. */
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data']);

/** A name that the user gave and that an HTTP proxy resolves. */
export const RESOLVED_ELSEWHERE: Pinned = { addresses: [], reach: 'unknown' };

/**
 * Resolves the host of `url` once and checks all its addresses. Rejects with ConnectionError `address-refused`,
 * `redirect-refused` or `dns-failed`. Connect to the result, not to the name, which may resolve differently a second
 * time.
 */
export async function pin(url: URL, policy: AddressPolicy, resolve: Resolver): Promise<Pinned> {
  const { allowLocal, from, elsewhere } = policy;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (METADATA_NAMES.has(host.replace(/\.$/, '')) && !allowLocal) throw refused(host, 'a metadata service');
  let addresses: readonly string[];
  try {
    addresses = isIP(host) ? [host] : await resolveName(host, resolve);
  } catch (error) {
    if (elsewhere === undefined) throw error;
    if (elsewhere === 'named') throw uncheckable(host);
    return RESOLVED_ELSEWHERE;
  }
  const reach = addresses.map(classOf).reduce(lessPublic);
  if (reach === 'local' && !allowLocal) throw refused(host, 'a link-local address or a metadata service');
  // A server whose own address is unknown may name public addresses only.
  const least = from === 'unknown' ? 'public' : from;
  if (least !== undefined && CLASSES.indexOf(reach) < CLASSES.indexOf(least)) {
    throw new ConnectionError({
      code: 'redirect-refused',
      message: `The server leads to ${host}, a ${reach} address, although its own address is ${from}.`,
      advice: 'If it is the right address, use it as the URL. A server must not lead to a less public address.',
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
    message: `The host ${host} could not be resolved${code === undefined ? '' : ` (${code})`}.`,
    advice: 'Check the spelling, and that this machine is online.',
  });
}

function uncheckable(host: string): ConnectionError {
  return new ConnectionError({
    code: 'redirect-refused',
    message: `The server leads to ${host}, which only the HTTP proxy could resolve, so its address can’t be checked.`,
    advice: 'If it is the right host, make its name resolvable on this machine, for example in the hosts file.',
  });
}

function refused(host: string, what: string): ConnectionError {
  return new ConnectionError({
    code: 'address-refused',
    message: `${host} is ${what}, which mcp-inspect does not connect to.`,
    advice: 'If you really want to connect to it, start mcp-inspect with --allow-link-local.',
  });
}

/**
 * How public an address is. `local`: link-local addresses and cloud metadata services, which hold a machine's secrets.
 */
export type AddressClass = 'local' | 'loopback' | 'private' | 'public';

/** From the least public to the most. */
const CLASSES: readonly AddressClass[] = ['local', 'loopback', 'private', 'public'];

type Net = readonly [address: string, prefix: number];

const NETS: readonly (readonly [AddressClass, readonly Net[]])[] = [
  [
    'local',
    [
      ['169.254.0.0', 16],
      ['100.100.100.200', 32],
      ['168.63.129.16', 32],
      ['192.0.0.192', 32],
      ['fe80::', 10],
      ['fd00:ec2::254', 128],
    ],
  ],
  [
    'loopback',
    [
      ['127.0.0.0', 8],
      ['0.0.0.0', 8],
      ['::1', 128],
      ['::', 128],
    ],
  ],
  [
    'private',
    [
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      ['224.0.0.0', 4],
      ['240.0.0.0', 4],
      ['fc00::', 7],
      ['fec0::', 10],
      ['ff00::', 8],
      // Local NAT64, Teredo and SIIT embed addresses that can't all be decoded.
      ['64:ff9b:1::', 48],
      ['2001::', 32],
      ['::ffff:0:0:0', 96],
    ],
  ],
];

const LISTS = NETS.map(([name, nets]) => {
  const list = new BlockList();
  for (const [address, prefix] of nets) list.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4');
  return [name, list] as const;
});

/**
 * Returns the class of an IP address. If an IPv6 address embeds an IPv4 address, the less public class counts. Invalid
 * addresses are `local`.
 */
export function classOf(address: string): AddressClass {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const version = isIP(bare);
  if (version === 0) return 'local';
  if (version === 4) return listed(bare, 'ipv4');
  const inner = embeddedIpv4(bare);
  const own = listed(bare, 'ipv6');
  return inner === undefined ? own : lessPublic(own, listed(inner, 'ipv4'));
}

/** Returns the less public class. */
export function lessPublic(a: AddressClass, b: AddressClass): AddressClass {
  return CLASSES.indexOf(a) <= CLASSES.indexOf(b) ? a : b;
}

function listed(address: string, family: 'ipv4' | 'ipv6'): AddressClass {
  return LISTS.find(([, list]) => list.check(address, family))?.[0] ?? 'public';
}

/**
 * Returns the IPv4 address inside IPv4-mapped and -compatible addresses, NAT64 (64:ff9b::/96, 64:ff9b:1::/48) and 6to4
 * (2002::/16).
 */
function embeddedIpv4(address: string): string | undefined {
  const groups = groupsOf(address);
  const [first, second] = groups;
  if (first === 0x2002) return dotted(groups[1]!, groups[2]!);
  const zeros = groups.slice(0, 5).every((group) => group === 0);
  const mapped = zeros && (groups[5] === 0xffff || groups[5] === 0) && (groups[6] !== 0 || groups[7]! > 1);
  if (mapped || (first === 0x64 && second === 0xff9b)) return dotted(groups[6]!, groups[7]!);
  return undefined;
}

function groupsOf(address: string): number[] {
  // The URL parser writes every form of an IPv6 address in hexadecimal groups.
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const left = read(head);
  const right = tail === undefined ? [] : read(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
