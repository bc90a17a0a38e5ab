import { diagnose } from '@/lib/doctor/diagnose';
import type { Diagnosis } from '@/lib/doctor/diagnosis';
import { Log } from '@/lib/store/log';
import { type Clock, systemClock } from '@/lib/wire/clock';
import type { UrlTarget } from '@/lib/wire/command';
import { isFailure, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { resolveLaunch } from '@/proxy/connection/launch';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { ServerConnection } from './server-connection';

/** The end of a subcommand that lists the tools of a URL. */
export interface FailedRequest {
  readonly log: Log;
  /** undefined if it succeeded. */
  readonly diagnosis: Diagnosis | undefined;
}

/** Connects to a URL, lists its tools, and diagnoses the failure. `requestMs`: as with `--request-timeout`. */
export async function listAt(
  url: string,
  target: Partial<UrlTarget> = {},
  protocol: ProtocolChoice = 'auto',
  { clock = systemClock, requestMs }: { readonly clock?: Clock; readonly requestMs?: number } = {},
): Promise<FailedRequest> {
  const log = new Log('c');
  const launch = resolveLaunch({ transport: 'auto', url, ...target }, protocol, []);
  const connection = new ServerConnection(launch, {
    clock,
    version: '0.0.0-test',
    ...(requestMs !== undefined && {
      client: {
        info: undefined,
        capabilities: {},
        handlers: new Map(),
        times: { timeoutMs: requestMs },
        handshakeMs: requestMs,
      },
    }),
    append: (channel, direction, flags, time, source, start, end) => {
      const seq = log.size + 1;
      log.append([{ seq, time, channel, direction, flags, bytes: source.slice(start, end) }]);
      return seq;
    },
    lookFurther: async () => {},
    openTransport: (launched, sink) =>
      createTransport(launched, {
        sink,
        clock,
        reaper: new Reaper(),
        version: '0.0.0-test',
        allowLinkLocal: false,
      }),
  });
  try {
    await connection.open();
    await connection.request('tools/list');
    return { log, diagnosis: undefined };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { log, diagnosis: diagnose(log, error) };
  } finally {
    await connection.close();
  }
}
