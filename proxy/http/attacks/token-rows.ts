import type { AttackRow } from './attack-row';
import { BASES, type Headers, type Target } from './good-requests';

/** Tokens that are not the token, in the place where it belongs. */
const WRONG_TOKENS: Readonly<Record<string, (at: Target) => string>> = {
  empty: () => '',
  wrong: () => 'wrong',
  'of the right length': (at) => 'A'.repeat(at.token.length),
  'with its last letter changed': (at) => at.token.slice(0, -1) + (at.token.endsWith('A') ? 'B' : 'A'),
  longer: (at) => `${at.token}A`,
  shorter: (at) => at.token.slice(0, -1),
};

const tokens = Object.entries(WRONG_TOKENS).flatMap(([name, value]): AttackRow[] => [
  {
    attack: 9,
    name: `api with a token ${name}`,
    base: 'api',
    status: 401,
    rules: ['token'],
    headers: (at) => ({ authorization: [`Bearer ${value(at)}`] }),
  },
  {
    attack: 9,
    name: `socket with a token ${name}`,
    base: 'socket',
    status: 401,
    rules: ['token'],
    headers: (at) => ({
      'sec-websocket-protocol': [`mcp-inspect.1${value(at) && `, bearer.${value(at)}`}`],
    }),
  },
]);

const withoutToken = (base: 'api' | 'socket'): Headers =>
  base === 'api' ? { authorization: [] } : { 'sec-websocket-protocol': ['mcp-inspect.1'] };

const misplaced = (['api', 'socket'] as const).flatMap((base): AttackRow[] => [
  {
    attack: 9,
    name: `${base} with no token`,
    base,
    status: 401,
    rules: ['token'],
    headers: () => withoutToken(base),
  },
  {
    attack: 10,
    name: `${base} with the token in the query`,
    base,
    status: 401,
    rules: ['token'],
    target: (at) => `${BASES[base].target}?token=${at.token}&bearer=${at.token}`,
    headers: () => withoutToken(base),
  },
  {
    attack: 10,
    name: `${base} with the token in a cookie`,
    base,
    status: 401,
    rules: ['token'],
    headers: (at) => ({ ...withoutToken(base), cookie: [`token=${at.token}; bearer=${at.token}`] }),
  },
]);

/** Attacks 9, 10 and 13: no token, the wrong one, or the right one in the wrong place. */
export const TOKEN_ROWS: readonly AttackRow[] = [
  ...tokens,
  ...misplaced,
  {
    attack: 9,
    name: 'api with two Authorization headers',
    base: 'api',
    status: 401,
    rules: ['token'],
    headers: (at) => ({ authorization: [`Bearer ${at.token}`, `Bearer ${at.token}`] }),
  },
  {
    attack: 10,
    name: 'api with the token as a subprotocol',
    base: 'api',
    status: 401,
    rules: ['token'],
    headers: (at) => ({ authorization: [], 'sec-websocket-protocol': [`mcp-inspect.1, bearer.${at.token}`] }),
  },
  {
    attack: 10,
    name: 'socket with the token in Authorization',
    base: 'socket',
    status: 401,
    rules: ['token'],
    headers: (at) => ({ ...withoutToken('socket'), authorization: [`Bearer ${at.token}`] }),
  },
  {
    attack: 13,
    name: 'socket that offers only the token, which would be echoed',
    base: 'socket',
    status: 400,
    rules: ['subprotocol'],
    headers: (at) => ({ 'sec-websocket-protocol': [`bearer.${at.token}`] }),
  },
];
