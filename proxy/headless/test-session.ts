import { systemClock } from '@/lib/wire/clock';
import type { ExitCode } from '../cli/exit-code';
import { findSubcommand } from '../cli/subcommands';
import { resolveLaunch } from '../connection/launch';
import { hostileTarget } from '../connection/test-tab';
import { Reaper } from '../process/reaper';
import type { Output } from '../terminal/output';
import { styledText } from '../terminal/styled';
import { createTransport } from '../transports/registry';
import { COMMANDS } from './commands/registry';
import { heardTap } from './heard-tap';
import { notesTap } from './notes';
import { parseRequest } from './request';
import { Session } from './session';
import { StrayOutput } from './stray-output';
import type { Action } from './subcommand';

/** Output that is kept. */
export interface KeptOutput extends Output {
  readonly stdout: string[];
  readonly notes: string[];
}

export function keptOutput(json = false): KeptOutput {
  const stdout: string[] = [];
  const notes: string[] = [];
  return {
    json,
    width: undefined,
    stdout,
    notes,
    say: (text) => void stdout.push(text),
    print: (lines) => void stdout.push(styledText(lines, false)),
    exact: (text) => void stdout.push(text),
    note: (source, text) => void notes.push(`${source} | ${text}`),
  };
}

/** A session with the fixture server in one of its behaviours, with its parameter behind a blank. */
export function hostileSession(
  behaviour: string,
  out: Output,
  timeoutMs?: number,
  connect: Action['connect'] = {},
  stray = new StrayOutput(),
): Session {
  const clock = systemClock;
  const reaper = new Reaper();
  return new Session(resolveLaunch(hostileTarget(...(behaviour.split(' ') as [string])), '2025-11-25', []), {
    clock,
    version: '0.0.0-test',
    timeoutMs,
    append: heardTap(stray.tap(notesTap(out)), connect.heard),
    ...(connect.client && { client: connect.client }),
    openTransport: (launched, sink) =>
      createTransport(launched, { sink, clock, reaper, version: '0.0.0-test', allowLinkLocal: false }),
    lookFurther: async () => {},
  });
}

/** Runs a command line against the fixture server; rejects as the subcommand does. */
export async function runAgainst(behaviour: string, ...argv: string[]): Promise<KeptOutput & { code: ExitCode }> {
  const request = parseRequest(findSubcommand([...argv, '--demo'])!);
  if (typeof request === 'string') throw new Error(request);
  const out = keptOutput(request.json);
  const action = await COMMANDS[request.name](request);
  const stray = new StrayOutput();
  const session = hostileSession(behaviour, out, request.timeoutMs, action.connect, stray);
  try {
    const negotiated = await session.open();
    return { ...out, code: await action({ session, negotiated, out, stray }) };
  } catch (error) {
    throw stray.explain(error);
  } finally {
    await session.close();
  }
}
