import type { AttackRow } from './attack-row';
import type { Target } from './good-requests';

/** The same wrong Origin on everything that could tell. */
function origins(
  attack: number,
  bases: readonly AttackRow['base'][],
  wrong: Readonly<Record<string, (at: Target) => string[]>>,
) {
  return Object.entries(wrong).flatMap(([name, values]) =>
    bases.map(
      (base): AttackRow => ({
        attack,
        name: `${base} with Origin ${name}`,
        base,
        status: 403,
        rules: ['origin'],
        headers: (at) => ({ origin: values(at) }),
      }),
    ),
  );
}

/** Attacks 1 to 5: who sent it. */
export const ORIGIN_ROWS: readonly AttackRow[] = [
  ...origins(1, ['socket', 'api', 'launch'], { 'of another site': () => ['http://evil.example'] }),
  {
    attack: 2,
    name: 'socket with no Origin',
    base: 'socket',
    status: 403,
    rules: ['upgrade-origin'],
    headers: () => ({ origin: [] }),
  },
  ...origins(3, ['socket', 'launch'], { 'null of a sandboxed frame': () => ['null'] }),
  ...origins(4, ['socket', 'api', 'launch'], {
    'of another port': () => ['http://localhost:3000'],
    'of the next port': (at) => [`http://127.0.0.1:${at.port + 1}`],
    'of https': (at) => [`https://127.0.0.1:${at.port}`],
    'without port': () => ['http://127.0.0.1'],
  }),
  ...origins(5, ['socket', 'launch'], {
    'that begins like ours': (at) => [`http://127.0.0.1:${at.port}.evil.com`],
    'in capitals with a slash': (at) => [`http://LOCALHOST:${at.port}/`],
    'with a slash': (at) => [`http://127.0.0.1:${at.port}/`],
    'as user info': (at) => [`http://127.0.0.1:${at.port}@evil.example`],
    'of a foreign address': (at) => [`http://10.0.0.7:${at.port}`],
    'that is empty': () => [''],
    'that is ours by another name than Host': (at) => [`http://localhost:${at.port}`],
    'joined from two': (at) => [`http://127.0.0.1:${at.port}, http://evil.example`],
    'twice, both ours': (at) => [`http://127.0.0.1:${at.port}`, `http://127.0.0.1:${at.port}`],
    'twice, ours first': (at) => [`http://127.0.0.1:${at.port}`, 'http://evil.example'],
  }),
];
