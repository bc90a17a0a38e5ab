import { expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { ServerTelemetry } from '@/proxy/otel/server-telemetry';
import { Reaper } from '@/proxy/process/reaper';
import { ProxyHub } from './hub';
import { resolveLaunch } from './launch';
import { hostileTarget } from './test-hub';
import { createTransport } from './transports';

test('an export knows the token that the server sends its telemetry with', async () => {
  const known: (readonly string[])[] = [];
  const given: (readonly string[])[] = [];
  const reaper = new Reaper();
  const hub = new ProxyHub({
    clock: systemClock,
    version: '0.0.0-test',
    presets: [],
    lookFurther: async () => {},
    openTransport: (launch, sink, telemetry) =>
      createTransport(launch, {
        sink,
        clock: systemClock,
        reaper,
        version: '0.0.0-test',
        allowLinkLocal: false,
        lateVariables: () => telemetry?.variables ?? {},
      }),
    telemetryOf: (launch) => {
      const telemetry = ServerTelemetry.of(launch);
      given.push(telemetry?.secrets ?? []);
      return telemetry;
    },
    exporter: {
      follow: ({ secrets }) => {
        known.push(secrets);
        return { onLogGrown: () => {}, end: async () => {} };
      },
      end: async () => {},
    },
  });
  hub.start(resolveLaunch(hostileTarget('honest'), 'auto', []));
  await hub.shutdown();
  expect(given[0]).toHaveLength(1);
  expect(known[0]).toEqual(expect.arrayContaining([...given[0]!]));
});
