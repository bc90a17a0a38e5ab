import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TOKEN_HEADER } from '@/lib/wire/api';
import { type AttackRow, BASES, requestOf, type Target } from './attacks/attack-row';
import { ATTACK_ROWS, PUBLIC_URL, publicHeaders } from './attacks/attack-rows';
import {
  GUARD_RULES,
  type GuardPolicy,
  type GuardRule,
  guard,
  headerValues,
  type RequestFacts,
  type RouteShape,
} from './guard';

const AT: Target = { port: 6274, token: 'Zm9ydHktdGhyZWUtbGV0dGVycy1vZi1iYXNlNjR1cmwtMDA' };

const ROUTES: readonly RouteShape[] = [
  { method: 'GET', path: '/api/connections', upgrade: false, access: 'token' },
  { method: 'GET', path: '/ws', upgrade: true, access: 'token' },
  { method: 'POST', path: '/launch', upgrade: false, access: 'open' },
  { method: 'POST', path: '/api/file', upgrade: false, access: 'token', takesFile: true },
];
const PAGES: RouteShape = { method: 'GET', path: '*', upgrade: false, access: 'open' };

function policy(rules?: readonly GuardRule[]): GuardPolicy<RouteShape> {
  return {
    authorities: new Set([`127.0.0.1:${AT.port}`, `localhost:${AT.port}`, `[::1]:${AT.port}`]),
    publicUrl: PUBLIC_URL,
    routes: ROUTES,
    pages: PAGES,
    acceptsToken: (presented) => presented === AT.token,
    rules,
  };
}

function factsOf(row: AttackRow): RequestFacts {
  const { method, target, headers } = requestOf(row, AT);
  return { method, target, rawHeaders: headers.flat(), upgrade: headers.some(([name]) => name === 'upgrade') };
}

const good = (base: keyof typeof BASES): AttackRow => ({ attack: 0, name: base, base, status: 200, rules: [] });

describe('valid requests pass, or the attacks below would prove nothing', () => {
  test.each(Object.keys(BASES) as (keyof typeof BASES)[])('%s', (base) => {
    expect(guard(factsOf(good(base)), policy())).toMatchObject({ allow: true });
  });

  test.each(['localhost', '[::1]'])('with the host %s and a matching Origin', (name) => {
    const authority = `${name}:${AT.port}`;
    const headers = () => ({ host: [authority], origin: [`http://${authority}`] });
    expect(guard(factsOf({ ...good('socket'), headers }), policy())).toMatchObject({ allow: true });
  });

  test.each(Object.keys(BASES) as (keyof typeof BASES)[])(
    '%s at the public URL, with its path stripped or not',
    (base) => {
      const { target } = BASES[base];
      for (const asked of [target, `/tools${target}`]) {
        const row: AttackRow = { ...good(base), headers: publicHeaders(base), target: () => asked };
        expect(guard(factsOf(row), policy())).toMatchObject({ allow: true, path: target, base: '/tools' });
      }
    },
  );

  test.each([
    ['/tools', '/'],
    ['/tools/', '/'],
    ['/tools?x=1', '/'],
    ['/toolsmith', '/toolsmith'],
    ['/tools/tools/ws', '/tools/ws'],
    ['/tools//ws', '//ws'],
    ['/tools/../ws', '/../ws'],
    ['/TOOLS/x', '/TOOLS/x'],
    ['/%74ools/x', '/%74ools/x'],
  ])('%s at the public URL is the page path %s', (target, path) => {
    const row: AttackRow = { ...good('page'), headers: publicHeaders('page'), target: () => target };
    expect(guard(factsOf(row), policy())).toMatchObject({ allow: true, route: PAGES, path });
  });

  test('the public path has no meaning at our own names', () => {
    const row: AttackRow = { ...good('page'), target: () => '/tools/x' };
    expect(guard(factsOf(row), policy())).toMatchObject({ allow: true, path: '/tools/x', base: '' });
  });

  test('HEAD counts as GET, and a query does not change the route', () => {
    const row: AttackRow = { ...good('api'), method: 'HEAD', target: () => '/api/connections?x=1' };
    expect(guard(factsOf(row), policy())).toMatchObject({ allow: true, path: '/api/connections' });
  });

  test('paths that are not in the table are pages', () => {
    const row: AttackRow = { ...good('page'), target: () => '/apis' };
    expect(guard(factsOf(row), policy())).toEqual({ allow: true, route: PAGES, path: '/apis', base: '' });
  });
});

test.each([
  ['/api/file', 'application/octet-stream', true],
  ['/api/file', 'application/json', false],
  ['/api/file', 'text/plain', false],
  ['/api/file', 'multipart/form-data; boundary=x', false],
  ['/api/file', undefined, false],
  ['/launch', 'application/octet-stream', false],
] as const)('%s takes %j: %j', (target, type, allow) => {
  const rawHeaders = [
    'host',
    `127.0.0.1:${AT.port}`,
    TOKEN_HEADER,
    AT.token,
    ...(type === undefined ? [] : ['content-type', type]),
  ];
  expect(guard({ method: 'POST', target, rawHeaders, upgrade: false }, policy())).toMatchObject(
    allow ? { allow } : { allow, status: 415 },
  );
});

describe.each(ATTACK_ROWS)('attack $attack: $name', (row) => {
  test(`is refused with ${row.status}`, () => {
    expect(guard(factsOf(row), policy())).toMatchObject({ allow: false, status: row.status });
  });

  test(`would pass without ${row.rules.join(' and ')}`, () => {
    const rules = GUARD_RULES.filter((rule) => !row.rules.includes(rule.name));
    expect(rules).toHaveLength(GUARD_RULES.length - row.rules.length);
    expect(guard(factsOf(row), policy(rules))).toMatchObject({ allow: true });
  });
});

describe('every rule is needed: without it alone, an attack passes', () => {
  test.each(GUARD_RULES.map((rule) => rule.name))('%s', (name) => {
    const rules = GUARD_RULES.filter((rule) => rule.name !== name);
    const through = ATTACK_ROWS.filter((row) => guard(factsOf(row), policy(rules)).allow);
    expect(through.length).toBeGreaterThan(0);
  });
});

describe('random requests', () => {
  const header = fc.tuple(
    fc.oneof(fc.constantFrom('Host', 'HOST', 'Origin', TOKEN_HEADER, 'Sec-WebSocket-Protocol'), fc.string()),
    fc.oneof(
      fc.constantFrom(`127.0.0.1:${AT.port}`, PUBLIC_URL.authority, AT.token, `bearer.${AT.token}`),
      fc.string(),
    ),
  );
  const facts = fc.record({
    method: fc.oneof(fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS'), fc.string()),
    target: fc.oneof(fc.constantFrom('/', '/ws', '/tools/ws', '/launch', '/api/connections', '__proto__'), fc.string()),
    rawHeaders: fc.array(header, { maxLength: 6 }).map((headers) => headers.flat()),
    upgrade: fc.boolean(),
  });

  test('never reach the API without a valid Host and the token', () => {
    fc.assert(
      fc.property(facts, (asked) => {
        const decision = guard(asked, policy());
        if (!decision.allow) return;
        expect([`127.0.0.1:${AT.port}`, PUBLIC_URL.authority]).toContain(headerValues(asked, 'host')[0]);
        if (decision.route.access === 'token') expect(asked.rawHeaders.join(' ')).toContain(AT.token);
      }),
      { seed: 1, numRuns: 5000 },
    );
  });
});

test('attack: compares the token even when none was sent, so that the time is the same', () => {
  const asked: string[] = [];
  const watching = { ...policy(), acceptsToken: (presented: string) => asked.push(presented) < 0 };
  guard(factsOf({ ...good('api'), headers: () => ({ [TOKEN_HEADER]: [] }) }), watching);
  guard(factsOf({ ...good('api'), headers: () => ({ [TOKEN_HEADER]: ['two words'] }) }), watching);
  expect(asked).toEqual(['', '']);
});
