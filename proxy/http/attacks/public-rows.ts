import { type PublicUrl, readPublicUrl } from '../public-url';
import type { AttackRow } from './attack-row';
import { BASES, type GoodRequest, type Headers, ours, type Target } from './good-requests';

/** The public URL of every server and policy that the rows are sent to. */
export const PUBLIC_URL: PublicUrl = readPublicUrl('https://box.example:8443/tools')!;

const { authority, origin } = PUBLIC_URL;
const KINDS = ['page', 'socket'] as const;

/** The headers of a good request as a browser sends them at the public URL. */
export function publicHeaders(base: keyof typeof BASES): (at: Target) => Headers {
  const good: GoodRequest = BASES[base];
  return (at) => ({ host: [authority], ...(good.headers(at).origin && { origin: [origin] }) });
}

const hosts: Readonly<Record<string, (at: Target) => string>> = {
  'the public name on another port': () => 'box.example:8444',
  'the public name without its port': () => 'box.example',
  'the public name with our port': (at) => `box.example:${at.port}`,
  'the public name with a dot': () => 'box.example.:8443',
  'the public name in capitals': () => 'BOX.example:8443',
  'a name below the public one': () => 'a.box.example:8443',
  'a name that begins with the public one': () => 'box.example.evil.test:8443',
  'the public name as user info': () => 'box.example:8443@evil.test',
  'our name with the public port': () => '127.0.0.1:8443',
};

const origins: Readonly<Record<string, (at: Target) => readonly string[]>> = {
  'without encryption': () => ['http://box.example:8443'],
  'without the port': () => ['https://box.example'],
  'with another port': () => ['https://box.example:8444'],
  'with a dot': () => ['https://box.example.:8443'],
  'in capitals': () => ['https://BOX.example:8443'],
  'with a path': () => ['https://box.example:8443/tools'],
  'as user info': () => ['https://box.example:8443@evil.test'],
  'of a name below': () => ['https://a.box.example:8443'],
  'that is ours here': (at) => [`http://${ours(at)}`],
  'twice, both ours': (at) => [origin, `http://${ours(at)}`],
};

/** Attacks 1 to 9 on the rule that lets the public URL in: one Host, one Origin, and nothing near them. */
export const PUBLIC_ROWS: readonly AttackRow[] = [
  ...Object.entries(hosts).flatMap(([name, value]) =>
    KINDS.map(
      (base): AttackRow => ({
        attack: 7,
        name: `${base} with Host ${name}`,
        base,
        status: 403,
        rules: ['host'],
        headers: (at) => ({ host: [value(at)], ...(base === 'socket' && { origin: [`http://${value(at)}`] }) }),
      }),
    ),
  ),
  ...Object.entries(origins).flatMap(([name, values]) =>
    (['socket', 'launch', 'api'] as const).map(
      (base): AttackRow => ({
        attack: 4,
        name: `${base} at the public URL with an Origin ${name}`,
        base,
        status: 403,
        rules: ['origin'],
        headers: (at) => ({ host: [authority], origin: values(at) }),
      }),
    ),
  ),
  {
    attack: 4,
    name: 'socket at our own name with the public Origin',
    base: 'socket',
    status: 403,
    rules: ['origin'],
    headers: () => ({ origin: [origin] }),
  },
  {
    attack: 2,
    name: 'socket at the public URL with no Origin',
    base: 'socket',
    status: 403,
    rules: ['upgrade-origin'],
    headers: () => ({ host: [authority], origin: [] }),
  },
  {
    attack: 7,
    name: 'page with two Hosts, the public one and ours',
    base: 'page',
    status: 400,
    rules: ['host-count'],
    headers: (at) => ({ host: [authority, ours(at)] }),
  },
  ...['/tools/api/connections', '/api/connections'].map(
    (target): AttackRow => ({
      attack: 9,
      name: `no token for ${target} at the public URL`,
      base: 'api',
      status: 401,
      rules: ['token'],
      target: () => target,
      headers: () => ({ host: [authority], authorization: [] }),
    }),
  ),
  {
    attack: 17,
    name: 'an unknown path of the API below the public path',
    base: 'api',
    status: 404,
    rules: ['path'],
    target: () => '/tools/api/nothing',
    headers: publicHeaders('api'),
  },
  {
    attack: 8,
    name: 'the public path behind two slashes',
    base: 'page',
    status: 400,
    rules: ['target'],
    target: () => '//tools/',
    headers: publicHeaders('page'),
  },
];
