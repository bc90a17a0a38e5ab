import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printedCause } from '@/lib/doctor/printed-causes';
import { hasSentMessage, printedIn } from '@/lib/doctor/printed-in-log';
import { Log } from '@/lib/store/log';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { openHub, type TestTab } from './test-hub';

const open = closedAfterEach();

const SERVER = join(import.meta.dirname, 'fixtures/http-instead.mjs');

function logOf(tab: TestTab): Log {
  const log = new Log('c');
  log.append(tab.frames);
  return log;
}

/** Starts the server, and looks at the address that it prints. */
async function lookAt(...args: string[]) {
  const hub = await openHub();
  open.push(hub);
  const tab = await hub.tab();
  const target = { transport: 'stdio', command: process.execPath, args: [SERVER, ...args] } as const;
  const connection = await tab.connect(target, 'spawned', '2025-11-25');
  await tab.until(() => tab.texts('stderr').some((text) => text.includes('Uvicorn')));
  const done = await tab.ask({ type: 'look-further', connection, where: 'printed' });
  await tab.until(() => printedIn(logOf(tab))?.address?.isProbed === true);
  return { tab, done, log: logOf(tab) };
}

describe('a process that serves HTTP instead of stdio', () => {
  test('is found at /mcp of the address that it printed', async () => {
    const { log, done } = await lookAt('/mcp');
    expect(done).toMatchObject({ type: 'done' });
    const printed = printedIn(log)!;
    expect(printed.address).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      isProbed: true,
      found: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/), transport: 'http' },
    });
    expect(hasSentMessage(log)).toBe(false);
    expect(printedCause(printed)).toMatchObject({ code: 'serves-http', what: expect.stringContaining('/mcp, but') });
  });

  test('is not offered at /mcp if nothing answers there', async () => {
    const { log } = await lookAt();
    expect(printedIn(log)).toMatchObject({
      address: { isProbed: true, found: undefined, line: expect.stringMatching(/:\d+/) },
    });
    expect(printedCause(printedIn(log)!)).toMatchObject({ code: 'printed-url' });
  });
});

test('a process that printed no address is not probed', async () => {
  const hub = await openHub();
  open.push(hub);
  const tab = await hub.tab();
  const target = { transport: 'stdio', command: process.execPath, args: ['-e', 'process.stdin.resume()'] } as const;
  const connection = await tab.connect(target, 'spawned', '2025-11-25');
  expect(await tab.ask({ type: 'look-further', connection, where: 'printed' })).toMatchObject({
    type: 'error',
    code: 'nothing-printed',
  });
});
