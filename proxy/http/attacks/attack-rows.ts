import { TOKEN_HEADER } from '@/lib/wire/api';
import { type PublicUrl, readPublicUrl } from '../addresses';
import { type AttackRow, BASES, type GoodRequest, type Headers, ours, type Target } from './attack-row';

/** Rows with the same wrong Origin on several requests. */
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

/** Attacks 1 to 5: the Origin. */
const ORIGIN_ROWS: readonly AttackRow[] = [
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
        // The Origin of a rebinding page matches its Host. A different one would be refused for that alone.
        headers: (at) => ({
          host: [value(at)],
          ...((BASES[base].headers(at) as Headers).origin && { origin: [`http://${value(at)}`] }),
        }),
      }),
    ),
  );
}

/** Attacks 6 and 7: the Host. */
const HOST_ROWS: readonly AttackRow[] = [
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

/** Attack 8: targets that are not a plain path. */
const TARGET_ROWS: readonly AttackRow[] = [
  {
    attack: 8,
    name: 'absolute-form target',
    base: 'page',
    status: 400,
    rules: ['target'],
    target: (at) => `http://127.0.0.1:${at.port}/`,
  },
  {
    attack: 8,
    name: 'absolute-form target of another site',
    base: 'page',
    status: 400,
    rules: ['target'],
    target: () => 'http://evil.example/',
  },
  { attack: 8, name: 'target with #', base: 'page', status: 400, rules: ['target'], target: () => '/index.html#x' },
  {
    attack: 8,
    name: 'target with two slashes',
    base: 'page',
    status: 400,
    rules: ['target'],
    target: () => '//evil.example/',
  },
  {
    attack: 8,
    name: 'target with a control character',
    base: 'page',
    status: 400,
    rules: ['target'],
    also: 'parser',
    target: () => '/index.html\u0001',
  },
  {
    attack: 8,
    name: 'target with NUL',
    base: 'page',
    status: 400,
    rules: ['target'],
    also: 'parser',
    target: () => '/index.html\u0000',
  },
  {
    attack: 8,
    name: 'target with a high byte',
    base: 'page',
    status: 400,
    rules: ['target'],
    also: 'parser',
    target: () => '/\u00e9',
  },
];

/** Wrong tokens in the right place. */
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
    headers: (at) => ({ [TOKEN_HEADER]: [value(at)] }),
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
  base === 'api' ? { [TOKEN_HEADER]: [] } : { 'sec-websocket-protocol': ['mcp-inspect.1'] };

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
const TOKEN_ROWS: readonly AttackRow[] = [
  ...tokens,
  ...misplaced,
  {
    attack: 9,
    name: 'api with the token twice',
    base: 'api',
    status: 401,
    rules: ['token'],
    headers: (at) => ({ [TOKEN_HEADER]: [at.token, at.token] }),
  },
  {
    attack: 10,
    name: 'api with the token as a subprotocol',
    base: 'api',
    status: 401,
    rules: ['token'],
    headers: (at) => ({ ...withoutToken('api'), 'sec-websocket-protocol': [`mcp-inspect.1, bearer.${at.token}`] }),
  },
  {
    attack: 10,
    name: 'api with the token in Authorization, which belongs to a reverse proxy',
    base: 'api',
    status: 401,
    rules: ['token'],
    headers: (at) => ({ ...withoutToken('api'), authorization: [`Bearer ${at.token}`] }),
  },
  {
    attack: 10,
    name: 'socket with the token in its header',
    base: 'socket',
    status: 401,
    rules: ['token'],
    headers: (at) => ({ ...withoutToken('socket'), [TOKEN_HEADER]: [at.token] }),
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

const FORM_TYPES = ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'];

const forms = FORM_TYPES.flatMap((type): AttackRow[] => [
  {
    attack: 14,
    name: `form of another site, ${type}`,
    base: 'launch',
    status: 403,
    rules: ['origin', 'content-type'],
    headers: () => ({ origin: ['http://evil.example'], 'content-type': [type] }),
  },
  {
    attack: 14,
    name: `form without Origin, ${type}`,
    base: 'launch',
    status: 415,
    rules: ['content-type'],
    headers: () => ({ origin: [], 'content-type': [type] }),
  },
]);

const preflight: Headers = {
  'access-control-request-method': ['POST'],
  'access-control-request-private-network': ['true'],
};

/** Attacks 14, 15 and 17: methods, types and paths. */
const METHOD_ROWS: readonly AttackRow[] = [
  ...forms,
  {
    attack: 14,
    name: 'beacon without a type',
    base: 'launch',
    status: 415,
    rules: ['content-type'],
    headers: () => ({ origin: [], 'content-type': [] }),
  },
  {
    attack: 14,
    name: 'form with two types',
    base: 'launch',
    status: 415,
    rules: ['content-type'],
    headers: () => ({ origin: [], 'content-type': ['application/json', 'text/plain'] }),
  },
  {
    attack: 14,
    name: 'type that only holds the right one',
    base: 'launch',
    status: 415,
    rules: ['content-type'],
    headers: () => ({ origin: [], 'content-type': ['text/plain; application/json'] }),
  },
  {
    attack: 15,
    name: 'preflight of another site',
    base: 'api',
    method: 'OPTIONS',
    status: 403,
    rules: ['origin', 'method'],
    headers: () => ({ ...preflight, origin: ['http://evil.example'] }),
  },
  ...(['api', 'page', 'launch'] as const).map(
    (base): AttackRow => ({
      attack: 15,
      name: `preflight without Origin for ${base}`,
      base,
      method: 'OPTIONS',
      status: 403,
      rules: ['method'],
      headers: () => ({ ...preflight, origin: [] }),
    }),
  ),
  {
    attack: 17,
    name: 'unknown path of the API',
    base: 'api',
    status: 404,
    rules: ['path'],
    target: () => '/api/nothing',
  },
  { attack: 17, name: 'the API itself', base: 'api', status: 404, rules: ['path'], target: () => '/api' },
  { attack: 17, name: 'DELETE on the API', base: 'api', method: 'DELETE', status: 405, rules: ['method'] },
  {
    attack: 17,
    name: 'POST on the API',
    base: 'api',
    method: 'POST',
    status: 405,
    rules: ['method'],
    headers: () => ({ 'content-type': ['application/json'] }),
  },
  { attack: 17, name: 'GET on /launch', base: 'launch', method: 'GET', status: 405, rules: ['method'] },
  {
    attack: 17,
    name: 'socket path without upgrade',
    base: 'api',
    status: 405,
    rules: ['method'],
    also: 'dispatcher',
    target: () => '/ws',
  },
  {
    attack: 17,
    name: 'upgrade of a page',
    base: 'socket',
    status: 405,
    rules: ['method'],
    also: 'dispatcher',
    target: () => '/',
  },
  {
    attack: 17,
    name: 'upgrade of an API path',
    base: 'socket',
    status: 405,
    rules: ['method'],
    also: 'dispatcher',
    target: () => '/api/connections',
  },
];

/** The public URL of every server and policy that the rows are sent to. */
export const PUBLIC_URL: PublicUrl = readPublicUrl('https://box.example:8443/tools')!;

const { authority, origin } = PUBLIC_URL;
const KINDS = ['page', 'socket'] as const;

/** Returns the headers of a valid request at the public URL. */
export function publicHeaders(base: keyof typeof BASES): (at: Target) => Headers {
  const good: GoodRequest = BASES[base];
  return (at) => ({ host: [authority], ...(good.headers(at).origin && { origin: [origin] }) });
}

const PUBLIC_HOSTS: Readonly<Record<string, (at: Target) => string>> = {
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

const PUBLIC_ORIGINS: Readonly<Record<string, (at: Target) => readonly string[]>> = {
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

/** Attacks 1 to 9 at the public URL, which adds exactly one Host and one Origin. */
const PUBLIC_ROWS: readonly AttackRow[] = [
  ...Object.entries(PUBLIC_HOSTS).flatMap(([name, value]) =>
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
  ...Object.entries(PUBLIC_ORIGINS).flatMap(([name, values]) =>
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
      headers: () => ({ host: [authority], [TOKEN_HEADER]: [] }),
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

/**
 * Requests that must be refused, as data. guard.test.ts checks them against the guard, and they are sent over a socket
 * in guard-on-the-wire.test.ts.
 */
export const ATTACK_ROWS: readonly AttackRow[] = [
  ...ORIGIN_ROWS,
  ...HOST_ROWS,
  ...TARGET_ROWS,
  ...TOKEN_ROWS,
  ...METHOD_ROWS,
  ...PUBLIC_ROWS,
];
