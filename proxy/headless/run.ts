import { join } from 'node:path';
import type { TapHost } from '@/lib/mcp/tap';
import { systemClock } from '@/lib/wire/clock';
import { isFailure } from '@/lib/wire/lifecycle';
import { buildPresets } from '../cli/presets';
import { endOnSignals } from '../cli/signals';
import type { FoundSubcommand } from '../cli/subcommands';
import { plainText } from '../cli/terminal';
import { type Launch, resolveLaunch } from '../connection/launch';
import { Reaper } from '../process/reaper';
import { createTransport } from '../transports/registry';
import { COMMANDS } from './commands/registry';
import { EXIT, type ExitCode, Stop, usage } from './exit-code';
import { subcommandHelp } from './help';
import { notesTap } from './notes';
import { terminalOutput } from './output';
import { type HeadlessRequest, parseRequest } from './request';
import { Session } from './session';

/**
 * Runs a subcommand to its end, its server's end included, and returns the exit code. `home` is the directory of the built
 * bin.
 */
export async function runSubcommand(found: FoundSubcommand, version: string, home: string): Promise<ExitCode> {
  try {
    const request = parseRequest(found);
    if (request === 'help' || request === 'version') {
      process.stdout.write(request === 'help' ? subcommandHelp() : `${version}\n`);
      return EXIT.fine;
    }
    return await runRequest(request, version, home);
  } catch (error) {
    return tell(error);
  }
}

async function runRequest(request: HeadlessRequest, version: string, home: string): Promise<ExitCode> {
  const action = await COMMANDS[request.name](request);
  const launch = findLaunch(request, home);
  const out = terminalOutput(request.json);
  const recording = await beginRecording(request, launch, version);
  const notes = notesTap(out);
  const session = newSession(launch, request, version, recording ? recording.tap(notes) : notes);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= session.close().then(() => recording?.end());
    return closed;
  };
  endOnSignals({ shutdown: close, say, failureCode: EXIT.internal });
  try {
    const negotiated = await session.open();
    return await action({ session, negotiated, out });
  } catch (error) {
    // By a signal, which has said so and decides about the exit code.
    return session.closing ? EXIT.internal : tell(error);
  } finally {
    await close();
  }
}

/** What it takes is loaded only when a recording is asked for. */
async function beginRecording({ record }: HeadlessRequest, launch: Launch, version: string) {
  if (record === undefined) return undefined;
  const { recordingTap, startRecording } = await import('./recording');
  const recording = startRecording(record, launch, version);
  return {
    tap: (next: TapHost['append']) => recordingTap(recording, next),
    end: () => {
      const missing = recording.end();
      if (missing !== undefined) say(`mcp-inspect: ${missing}`);
    },
  };
}

function findLaunch({ run }: HeadlessRequest, home: string): Launch {
  const found = buildPresets(run, {
    cwd: process.cwd(),
    environment: process.env,
    demo: { command: process.execPath, args: [join(home, '../examples/demo-server/server.mjs')] },
  });
  if ('wrong' in found) throw usage(found.wrong);
  const { shown } = found.chosen!;
  if (shown.problem !== undefined) throw new Stop(EXIT.noConnection, shown.problem);
  return resolveLaunch({ ...shown.target, base: shown.id }, shown.protocol, found.presets);
}

function newSession(
  launch: Launch,
  { timeoutMs, run }: HeadlessRequest,
  version: string,
  append: TapHost['append'],
): Session {
  const reaper = new Reaper();
  const clock = systemClock;
  return new Session(launch, {
    clock,
    version,
    timeoutMs,
    append,
    openTransport: (launched, sink) =>
      createTransport(launched, { sink, clock, reaper, version, allowLinkLocal: run.allowLinkLocal }),
  });
}

/** Says what went wrong in one sentence or two; returns the exit code for it. */
function tell(error: unknown): ExitCode {
  if (error instanceof Stop) {
    say(`mcp-inspect: ${error.message}`);
    return error.exitCode;
  }
  if (isFailure(error)) {
    say(`mcp-inspect: ${error.message} ${error.advice}`);
    return error.code === 'handshake-timeout' ? EXIT.timeout : EXIT.noConnection;
  }
  say(`mcp-inspect itself failed: ${(error instanceof Error && error.stack) || String(error)}`);
  return EXIT.internal;
}

function say(line: string): void {
  process.stderr.write(`${plainText(line)}\n`);
}
