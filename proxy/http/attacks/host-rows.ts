import type { AttackRow } from './attack-row';
import { BASES, type Headers, ours, type Target } from './good-requests';

function hosts(
  attack: number,
  bases: readonly AttackRow['base'][],
  wrong: Readonly<Record<string, (at: Target) => string>>,
) {
  return Object.entries(wrong).flatMap(([name, value]) =>
    bases.map(
      (base): AttackRow => ({
        attack,
        name: `${base} with Host ${name}`,
        base,
        status: 403,
        rules: ['host'],
        // A rebinding page's Origin agrees with its Host; one that differs would be stopped for that alone.
        headers: (at) => ({
          host: [value(at)],
          ...((BASES[base].headers(at) as Headers).origin && { origin: [`http://${value(at)}`] }),
        }),
      }),
    ),
  );
}

/** Attacks 6 and 7: for whom it was meant. */
export const HOST_ROWS: readonly AttackRow[] = [
  ...hosts(6, ['page', 'asset', 'launch', 'api', 'socket'], {
    'of a rebinding site': (at) => `evil.test:${at.port}`,
  }),
  ...hosts(7, ['page', 'socket'], {
    'with another port': (at) => `127.0.0.1:${at.port + 1}`,
    'without port': () => '127.0.0.1',
    'localhost with a dot': (at) => `localhost.:${at.port}`,
    '0.0.0.0': (at) => `0.0.0.0:${at.port}`,
    'of a name that resolves to us': (at) => `127.0.0.1.nip.io:${at.port}`,
    'with a zone': (at) => `[::1%25lo]:${at.port}`,
    'in decimal': (at) => `2130706433:${at.port}`,
    'with user info': (at) => `127.0.0.1:${at.port}@evil.test`,
  }),
  {
    attack: 7,
    name: 'page with no Host, HTTP/1.0',
    base: 'page',
    status: 400,
    rules: ['host-count'],
    version: '1.0',
    headers: () => ({ host: [] }),
  },
  {
    attack: 7,
    name: 'api with no Host',
    base: 'api',
    status: 400,
    rules: ['host-count'],
    headers: () => ({ host: [] }),
  },
  {
    attack: 7,
    name: 'page with two Hosts, both ours',
    base: 'page',
    status: 400,
    rules: ['host-count'],
    headers: (at) => ({ host: [ours(at), ours(at)] }),
  },
  {
    attack: 7,
    name: 'page with two Hosts, ours first',
    base: 'page',
    status: 400,
    rules: ['host-count', 'host'],
    headers: (at) => ({ host: [ours(at), 'evil.test'] }),
  },
  {
    attack: 7,
    name: 'page with an empty Host',
    base: 'page',
    status: 400,
    rules: ['host-count', 'host'],
    headers: () => ({ host: [''] }),
  },
];
