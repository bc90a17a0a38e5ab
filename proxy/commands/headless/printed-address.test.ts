import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { diagnose } from '@/lib/doctor/diagnose';
import { printedIn } from '@/lib/doctor/printed-in-log';
import { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import { FakeClock } from '@/lib/wire/test-clock';
import { resolveLaunch } from '@/proxy/connection/launch';
import { createTransport, lookFurther } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { frameTap } from './frame-tap';
import { ServerConnection } from './server-connection';

const SERVER = join(import.meta.dirname, '../../connection/fixtures/http-instead.mjs');
const VERSION = '0.0.0-test';

/** Opens a connection to the fixture with these arguments, at a clock that stands still. */
function begin(...args: string[]) {
  const log = new Log('c');
  const reaper = new Reaper();
  let onFrame = (): void => {};
  const until = (isMet: () => boolean) =>
    new Promise<void>((resolve) => {
      onFrame = () => isMet() && resolve();
      onFrame();
    });
  let seq = 0;
  const clock = new FakeClock();
  const empty: string[] = [];
  const target = { transport: 'stdio', command: process.execPath, args: [SERVER, ...args] } as const;
  const connection = new ServerConnection(resolveLaunch(target, '2025-11-25', []), {
    clock,
    version: VERSION,
    onNothingAt: (url) => {
      empty.push(url);
      onFrame();
    },
    append: frameTap(
      () => ++seq,
      (frame) => {
        log.append([frame]);
        onFrame();
      },
    ),
    openTransport: (launch, sink) =>
      createTransport(launch, { sink, clock: systemClock, reaper, version: VERSION, allowLinkLocal: false }),
    lookFurther: (launch, where, sink, signal) =>
      lookFurther(launch, where, { sink, clock: systemClock, version: VERSION, allowLinkLocal: false }, signal),
  });
  onTestFinished(() => connection.close());
  const opening = connection.open();
  opening.catch(() => {});
  return { log, clock, empty, opening, until };
}

test('a subcommand ends once a server answers at the address that a silent process prints', async () => {
  const { log, clock, opening, until } = begin('/mcp');
  await until(() => printedIn(log)?.address !== undefined);
  clock.advance(999);
  expect(log.state.connection.failure).toBeUndefined();
  clock.advance(1);
  const failure = await opening.catch((error) => error);
  expect(failure).toMatchObject({ code: 'serves-http' });
  expect(diagnose(log, failure)).toMatchObject({
    code: 'serves-http',
    what: expect.stringMatching(
      /^The server sent no MCP message on stdout\. The server serves MCP over HTTP at http:\/\/127\.0\.0\.1:\d+\/mcp, but/,
    ),
  });
});

test('a subcommand goes on waiting, and says so, if no server answers at that address', async () => {
  const { log, clock, empty, opening, until } = begin();
  await until(() => printedIn(log)?.address !== undefined);
  clock.advance(1000);
  await until(() => empty.length > 0);
  expect(empty).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/)]);
  expect(await Promise.race([opening, Promise.resolve('waiting')])).toBe('waiting');
});
