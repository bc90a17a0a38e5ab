import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { TOKEN_HEADER } from '@/lib/wire/api';
import { FakeClock } from '@/lib/wire/test-clock';
import { LaunchLinks, Token } from '../launch-links';
import { requestOf } from './attack-row';
import { ATTACK_ROWS } from './attack-rows';
import { startFixture } from './fixture';
import { exchange, requestText } from './raw-client';

test('attack: the token is only in the response to /launch, not in notes or crashes', async () => {
  const fixture = await startFixture({
    api: {
      connections: () => {
        throw new Error('planted');
      },
      servers: async () => ({ servers: [], skipped: [], hosts: {} }),
      environment: () => ({ cwd: '/', platform: 'test', allowlist: [], shell: [], redirectUri: '' }),
    },
  });
  const said: string[] = [];
  for (const row of ATTACK_ROWS) {
    const { method, target, headers } = requestOf(row, fixture);
    said.push((await exchange(fixture.port, requestText(method, target, headers))).text);
  }
  const bearer = { [TOKEN_HEADER]: fixture.token };
  const crash = await fixture.ask('GET', '/api/connections', bearer);
  expect(crash.status).toBe(500);
  expect(crash.text).not.toContain('planted');
  const socket = requestOf({ attack: 13, name: '', base: 'socket', status: 101, rules: [] }, fixture);
  const upgrade = await exchange(fixture.port, requestText(socket.method, socket.target, socket.headers));
  expect(upgrade.status).toBe(101);
  expect(upgrade.headers.get('sec-websocket-protocol')).toBe('mcp-inspect.1');
  said.push(crash.text, upgrade.text, (await fixture.ask('GET', '/')).text);
  said.push((await fixture.ask('GET', '/api/servers', bearer)).text);
  said.push((await fixture.ask('POST', '/launch', { 'content-type': 'application/json' }, '{}')).text);
  said.push(inspect(process.env), process.argv.join(' '));

  expect(fixture.notes.length).toBeGreaterThan(5);
  expect([...said, ...fixture.notes].join('\n')).not.toContain(fixture.token);
  await fixture.end();
});

test('attack: printing the links of a run shows neither a code nor the token', async () => {
  const links = new LaunchLinks(new FakeClock(), 'http://127.0.0.1/', () => {});
  const codes = [links.newLink(), links.newLink()].map((link) => link.split('#launch=')[1]!);
  const token = await links.redeem(codes[0]!);
  const other = new Token(32);
  const shown = [links, other].map((one) => inspect(one, { depth: 10, showHidden: true }) + JSON.stringify(one)).join();
  for (const secret of [codes[1], token, other.reveal()]) expect(shown).not.toContain(secret);
});

test('notes contain each reason once, and no control characters', async () => {
  const fixture = await startFixture();
  for (let i = 0; i < 3; i++) await fixture.ask('GET', '/', { host: 'evil\u009b2J.test' });
  await fixture.ask('GET', '/', { origin: `http://evil.test/${'x'.repeat(500)}` });
  expect(fixture.notes).toEqual([
    'Refused a request: it was for the host "evil?2J.test". If that is your port mapping, tunnel or ingress, restart with `--page url` and the address that your browser shows.',
    `Refused a request: it came from a page of "${`http://evil.test/${'x'.repeat(500)}`.slice(0, 80)}".`,
  ]);
  await fixture.end();
});
