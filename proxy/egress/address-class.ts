import { BlockList, isIP } from 'node:net';

/** How far away an address is. `local` is where machines keep their secrets: link-local and cloud metadata services. */
export type AddressClass = 'local' | 'loopback' | 'private' | 'public';

/** From the least public to the most. */
export const CLASSES: readonly AddressClass[] = ['local', 'loopback', 'private', 'public'];

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
