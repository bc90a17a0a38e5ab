import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { ConnectionError } from '@/lib/transports/transport';

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

/** How far away an address is. `local` is where machines keep their secrets: link-local and cloud metadata services. */
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
      // What translates or tunnels leads to addresses that can't all be read: local NAT64, Teredo and SIIT.
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

/** The class of an IP address; of one that carries an IPv4 address, the less public of the two. Text that is none is `local`. */
export function classOf(address: string): AddressClass {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const version = isIP(bare);
  if (version === 0) return 'local';
  if (version === 4) return listed(bare, 'ipv4');
  const inner = embeddedIpv4(bare);
  const own = listed(bare, 'ipv6');
  return inner === undefined ? own : lessPublic(own, listed(inner, 'ipv4'));
}

/** The class that is nearer to us. */
export function lessPublic(a: AddressClass, b: AddressClass): AddressClass {
  return CLASSES.indexOf(a) <= CLASSES.indexOf(b) ? a : b;
}

function listed(address: string, family: 'ipv4' | 'ipv6'): AddressClass {
  return LISTS.find(([, list]) => list.check(address, family))?.[0] ?? 'public';
}

/** Of IPv4-mapped and -compatible addresses, NAT64 (64:ff9b::/96, 64:ff9b:1::/48) and 6to4 (2002::/16). */
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
