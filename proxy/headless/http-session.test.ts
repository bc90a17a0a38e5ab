import { expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { resolveLaunch } from '../connection/launch';
import { Reaper } from '../process/reaper';
import { type Answer, json, result, startHttp } from '../transports/fixtures/http-fixture';
import { createTransport } from '../transports/registry';
import { notesTap } from './notes';
import { Session } from './session';
import { keptOutput } from './test-session';

const open = closedAfterEach();

const TOOL = { name: 't', inputSchema: { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } };

/** A modern server that refuses a call without its header, as the specification wants it. */
const strict: Answer = ({ message, headers }, response) => {
  const { id, method } = message!;
  if (method === 'server/discover')
    json(response, result(id, { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }));
  else if (method === 'tools/list') json(response, result(id, { tools: [TOOL] }));
  else if (headers['mcp-param-region'] === 'eu') json(response, result(id, { content: [], digits: 'here' }));
  else json(response, { jsonrpc: '2.0', id, error: { code: -32020, message: 'Header mismatch' } }, 400);
};

test('a call whose headers are refused is repeated with them, and the last answer is the exact one', async () => {
  const fixture = await startHttp(strict);
  const clock = systemClock;
  const session = new Session(resolveLaunch({ transport: 'auto', url: `${fixture.origin}/mcp` }, 'auto', []), {
    clock,
    version: '0.0.0-test',
    append: notesTap(keptOutput()),
    lookFurther: async () => {},
    openTransport: (launched, sink) =>
      createTransport(launched, { sink, clock, reaper: new Reaper(), version: '0.0.0-test', allowLinkLocal: false }),
  });
  open.push(fixture, session);
  await session.open();
  const answer = await session.request('tools/call', '{"name":"t","arguments":{"region":"eu"}}');
  expect(answer).toMatchObject({ kind: 'result', text: '{"content":[],"digits":"here"}' });
  expect(fixture.seen.map(({ message }) => message?.method)).toEqual([
    'server/discover',
    'tools/call',
    'tools/list',
    'tools/call',
  ]);
});
