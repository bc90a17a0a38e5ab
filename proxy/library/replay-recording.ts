import { join } from 'node:path';
import { CallIndex } from '@/lib/replay/server/call-index';
import { systemClock } from '@/lib/wire/clock';
import { usageError } from '@/proxy/cli/exit-code';
import { readOnMiss, readPace, replayNotes, sampleOf } from '@/proxy/commands/replay/replay';
import { namedFile } from '@/proxy/commands/shared/file-access';
import { openTrafficIn } from '@/proxy/commands/shared/open-traffic';
import { serveHttp } from '@/proxy/replay/http-server';
import type { ReplayOptions, ReplayServer } from './api';
import { OPTION_NAMES, requireOptions } from './known-options';
import type { OwnPackage } from './launch-target';

const MOST_PORTS = 65_535;

/** Serves a recording as the subcommand does, and rejects like it. */
export async function startReplay(file: string, options: ReplayOptions, own: OwnPackage): Promise<ReplayServer> {
  requireOptions('replay', OPTION_NAMES, options);
  const { port = 0, onMiss = 'error', pace = 'instant' } = options;
  if (!Number.isInteger(port) || port < 0 || port > MOST_PORTS)
    throw usageError(`The port ${port} is not a whole number from 0 to ${MOST_PORTS}.`);
  const paceText = typeof pace === 'number' ? `x${pace}` : pace;
  if ((onMiss as string) === 'forward')
    throw usageError('`onMiss` can’t be `forward`, because no server is named: write `error` or `empty`.');
  const [onMissed, paced] = [readOnMiss(onMiss), readPace(paceText)];
  const local = await namedFile(file, { version: own.version, request: { given: new Map() } });
  const opened = await openTrafficIn(local, 'of the recording');
  const { traffic } = opened;
  const played = { traffic, calls: new CallIndex(traffic), pace: paced, onMiss: onMissed };
  const host = { clock: systemClock, printNote: () => {}, sampleOf };
  const server = await serveHttp(played, host, port).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= server.close().then(() => opened.close());
    return closed;
  };
  const words = ['replay', local.path, '--on-miss', onMiss, '--pace', paceText];
  return {
    url: server.url,
    stdio: { command: process.execPath, args: [join(own.home, 'cli.js'), ...words] },
    notes: replayNotes(opened),
    close,
    [Symbol.asyncDispose]: close,
  };
}
