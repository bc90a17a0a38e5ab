import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GUARD_RULES } from '../guard';
import { type AttackRow, BASES, requestOf, type Target } from './attack-row';
import { ATTACK_ROWS, PUBLIC_URL } from './attack-rows';
import { type Fixture, startFixture } from './fixture';
import { exchange, type RawAnswer, requestText } from './raw-client';

function send(row: AttackRow, at: Target): Promise<RawAnswer> {
  const { method, target, headers, body } = requestOf(row, at);
  return exchange(at.port, requestText(method, target, headers, method === 'POST' ? body : '', row.version));
}

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ publicUrl: PUBLIC_URL });
});
afterAll(() => fixture.end());

test.each(Object.keys(BASES) as (keyof typeof BASES)[])('answers a valid request: %s', async (base) => {
  const answer = await send({ attack: 0, name: base, base, status: 0, rules: [] }, fixture);
  expect(answer.status).toBe({ page: 200, asset: 200, api: 200, launch: 202, socket: 101 }[base]);
});

describe.each(ATTACK_ROWS)('attack $attack: $name', (row) => {
  test(`${row.status} on the wire, with nothing behind it reached`, async () => {
    const before = { sockets: fixture.sockets.length, calls: fixture.calls.length };
    const answer = await send(row, fixture);
    expect(answer.status).toBe(row.status);
    expect({ sockets: fixture.sockets.length, calls: fixture.calls.length }).toEqual(before);
    expect(answer.text).not.toContain(fixture.token);
    expect(answer.text).not.toContain('<script');
    expect(answer.text).not.toMatch(/^access-control-/im);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

/** One server per set of rules that some row needs removed. */
const RULE_SETS = Array.from(new Set(ATTACK_ROWS.map((row) => row.rules.join(' and '))), (name) => ({
  name,
  rows: ATTACK_ROWS.filter((row) => row.rules.join(' and ') === name && row.also === undefined),
}));

describe.each(RULE_SETS)('without the rule $name', ({ rows }) => {
  let open: Fixture;
  beforeAll(async () => {
    open = await startFixture({
      publicUrl: PUBLIC_URL,
      rules: GUARD_RULES.filter((rule) => !rows[0]!.rules.includes(rule.name)),
    });
  });
  afterAll(() => open.end());

  test.each(rows)('attack $attack passes: $name', async (row) => {
    const { status } = await send(row, open);
    expect(status).not.toBe(0);
    expect(status).not.toBe(row.status);
    for (const socket of open.sockets) socket.terminate();
  });
});
