import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { causeOf } from '@/lib/doctor/printed-causes';
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

test('a subcommand looks for a server at the address that a silent process prints', async () => {
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
  const target = { transport: 'stdio', command: process.execPath, args: [SERVER, '/mcp'] } as const;
  const connection = new ServerConnection(resolveLaunch(target, '2025-11-25', []), {
    ...{ clock, version: VERSION },
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
  connection.open().catch(() => {});
  await until(() => printedIn(log)?.address !== undefined);
  clock.advance(1000);
  await until(() => printedIn(log)?.address?.found !== undefined);
  expect(causeOf(printedIn(log)!)).toMatchObject({
    code: 'serves-http',
    what: expect.stringMatching(/at http:\/\/127\.0\.0\.1:\d+\/mcp, but/),
  });
});
