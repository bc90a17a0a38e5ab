import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { systemClock } from '@/lib/wire/clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { initialized, json, result, startHttp } from './fixtures/http-fixture';
import { openHub } from './test-hub';

const open = closedAfterEach();

interface Sessions {
  /** Assigned in the response to `initialize`. */
  readonly assigned?: string;
  /** Sent in all other responses. */
  readonly later?: string;
  /** Refuses a request with these headers. */
  readonly refuses?: (headers: IncomingHttpHeaders) => boolean;
}

/** Connects to a server with these sessions, and returns the problems of the whole log. */
async function problemsWith({ assigned, later, refuses }: Sessions): Promise<readonly string[]> {
  const headersOf = (id: string | undefined): Record<string, string> =>
    id === undefined ? {} : { 'Mcp-Session-Id': id };
  const fixture = await startHttp(({ method, message, headers }, response) => {
    if (method !== 'POST') response.writeHead(405).end();
    else if (message?.method === 'initialize')
      json(response, initialized(message.id, { tools: {} }), 200, headersOf(assigned));
    else if (refuses?.(headers))
      json(
        response,
        { jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request: No valid session ID provided' } },
        400,
      );
    else if (message?.id === undefined) response.writeHead(202, headersOf(later)).end();
    else json(response, result(message.id, { tools: [] }), 200, headersOf(later));
  });
  const hub = await openHub(systemClock);
  open.push(fixture, hub);
  const tab = await hub.tab();
  const connection = await tab.connect({ transport: 'http', url: `${fixture.origin}/mcp` }, 'open', '2025-11-25');
  await tab.until(() => tab.texts('protocol').some((text) => text.includes('"tools":[]') || text.includes('-32000')));
  await tab.ask({ type: 'close', connection });
  await tab.lifecycle('closed');
  expect(tab.texts('http').join()).not.toContain('geheim');
  const finder = new ProblemFinder();
  for (const frame of tab.frames) finder.addFrame(frame);
  return finder.problems.map(({ rule }) => rule);
}

test.each<[string, Sessions, readonly string[]]>([
  ['none', {}, []],
  ['assigned once', { assigned: 'geheim-1' }, []],
  ['assigned and repeated', { assigned: 'geheim-1', later: 'geheim-1' }, []],
  ['another one in later responses', { assigned: 'geheim-1', later: 'geheim-2' }, ['session-changed']],
  ['first in later responses', { later: 'geheim-1' }, ['session-misplaced']],
  ['invalid', { assigned: 'geheim 1' }, ['session-id']],
  ['demanded, but not assigned', { refuses: () => true }, ['session-missing']],
  [
    'as long as a token',
    { assigned: `geheim-${'x'.repeat(3000)}`, refuses: (headers) => headers['mcp-session-id'] === undefined },
    [],
  ],
])('rules see the session although the log masks it: %s', async (_what, sessions, rules) => {
  expect(await problemsWith(sessions)).toEqual(rules);
});
