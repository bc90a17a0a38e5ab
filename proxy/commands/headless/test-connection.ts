import { systemClock } from '@/lib/wire/clock';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { ExitCode } from '@/proxy/cli/exit-code';
import { type CommandOutput, sourceMark, styledText } from '@/proxy/cli/output';
import { resolveLaunch } from '@/proxy/connection/launch';
import { hostileTarget } from '@/proxy/connection/test-hub';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { prepareAction, requestOf } from '../test-command-line';
import { readClientOptions, serverClient } from './client-options';
import { explainFailure } from './explain-failure';
import { NonMcpOutput } from './non-mcp-output';
import { type CommandAction, readServerRequest } from './on-server';
import { RecentFrames } from './recent-frames';
import { ServerConnection } from './server-connection';
import { notesTap } from './server-notes';

/** Output that is kept. */
export interface KeptOutput extends CommandOutput {
  readonly stdout: string[];
  readonly notes: string[];
  /** Texts of the status line. */
  readonly shown: string[];
}

export function keptOutput(json = false): KeptOutput {
  const stdout: string[] = [];
  const notes: string[] = [];
  const shown: string[] = [];
  return {
    json,
    width: undefined,
    stdout,
    notes,
    shown,
    status: { show: (text) => shown.push(text), end: () => {} },
    printText: (text) => void stdout.push(text),
    printLines: (lines) => void stdout.push(styledText(lines, false)),
    printExact: (text) => void stdout.push(text),
    printNote: (source, text) => void notes.push(`${sourceMark(source)} ${text}`),
  };
}

/** A connection to the fixture server in one of its behaviours; a parameter follows after a blank. */
export function hostileConnection(
  behaviour: string,
  out: CommandOutput,
  timeoutMs?: number,
  connect: CommandAction['connect'] = {},
  stray = new NonMcpOutput(),
  recent = new RecentFrames(),
): ServerConnection {
  const clock = systemClock;
  const reaper = new Reaper();
  return new ServerConnection(resolveLaunch(hostileTarget(...(behaviour.split(' ') as [string])), '2025-11-25', []), {
    clock,
    version: '0.0.0-test',
    timeoutMs,
    append: recent.tap(stray.tap(notesTap(out)), connect.onFrame),
    ...(connect.client && { client: connect.client }),
    openTransport: (launched, sink) =>
      createTransport(launched, { sink, clock, reaper, version: '0.0.0-test', allowLinkLocal: false }),
    lookFurther: async () => {},
  });
}

/** Result of running a subcommand. */
interface Ran extends KeptOutput {
  readonly code: ExitCode;
  /** Events that answers from a file have logged. */
  readonly events: readonly LifecycleEvent[];
}

/** Runs a command line against the fixture server; rejects as the subcommand does. */
export async function runAgainst(behaviour: string, ...argv: string[]): Promise<Ran> {
  const request = requestOf(...argv, '--demo');
  const { json, timeoutMs } = readServerRequest(request);
  const options = await readClientOptions(request.given);
  const out = keptOutput(json);
  const action = await prepareAction(...argv, '--demo');
  const [stray, recent] = [new NonMcpOutput(), new RecentFrames()];
  const events: LifecycleEvent[] = [];
  const client =
    options &&
    serverClient(options, {
      printNote: (text) => out.printNote('mcp-inspect', text),
      logEvent: (event) => events.push(event),
      notify: () => {},
    });
  const connect = { ...action.connect, ...(client && { client }) };
  const connection = hostileConnection(behaviour, out, timeoutMs, connect, stray, recent);
  const explain = async (error: unknown) => explainFailure(error, recent.parts)?.error ?? error;
  try {
    const negotiated = await connection.open();
    return { ...out, events, code: await action({ connection, negotiated, out, stray, explain }) };
  } catch (error) {
    throw await explain(error);
  } finally {
    await connection.close();
  }
}
