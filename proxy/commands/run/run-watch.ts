import { resolve } from 'node:path';
import { systemClock } from '@/lib/wire/clock';
import { countOf } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import type { PinVerdict } from '@/lib/wire/pins';
import type { WatchFailure, WatchState } from '@/lib/wire/watch';
import { EXIT, type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { type Output, terminalOutput } from '@/proxy/cli/output';
import { readWatch } from '@/proxy/cli/page-options';
import type { Launch } from '@/proxy/connection/launch';
import { StderrLines } from '@/proxy/connection/stdio-lines';
import { answers } from '@/proxy/egress/answers';
import { helperEnvironment } from '@/proxy/process/environment';
import { ownReaper } from '@/proxy/process/reaper';
import { Build } from '@/proxy/watch/build';
import { EntryWatch, type RunEnd, type WatchedEntry } from '@/proxy/watch/entry-watch';
import { GONE, planFor } from '@/proxy/watch/server-watches';
import { withFile } from '@/proxy/watch/watch-plan';
import { readClientOptions } from '../headless/client-options';
import {
  type Action,
  type ConnectedServer,
  endWith,
  exitCodeOf,
  findLaunch,
  readServerRequest,
  runOn,
} from '../headless/on-server';
import { exitCodeOfCalls, noteNew, printReport, readPlay } from './pins-play';

/** Plays the pinned calls once, and again after each save, each time on a new server, until Ctrl-C. */
export async function watchRuns(context: CommandContext): Promise<ExitCode> {
  try {
    return await watchUntilStopped(context, terminalOutput(context.request.given.has('json')), endWith);
  } catch (error) {
    return printFailure(error, exitCodeOf);
  }
}

/** As {@link watchRuns}. `onSignals` gets what ends everything, and what Ctrl-C does first. */
export async function watchUntilStopped(
  { request, version, home }: CommandContext,
  out: Output,
  onSignals: typeof endWith,
): Promise<ExitCode> {
  const { given } = request;
  for (const [name, why] of Object.entries(REFUSED)) {
    if (given.has(name)) throw usageError(`\`--${name}\` ${why} Remove it or \`--watch\`.`);
  }
  const server = { ...readServerRequest(request), client: await readClientOptions(given) };
  const { build, globs } = readWatch(given);
  const { file } = await readPlay(request);
  const launch = await findLaunch(server.options, home);
  let code: ExitCode = EXIT.fine;
  let verdicts: ReadonlyMap<string, PinVerdict> | undefined;
  let runs = 0;

  const restart = async (stale: AbortSignal): Promise<RunEnd | undefined> => {
    // Each save may be of the pins file.
    const plan = await readPlay(request);
    const id = String(++runs);
    let close = async (): Promise<void> => {};
    let failure: Failure | undefined;
    const play = async (connected: ConnectedServer): Promise<ExitCode> => {
      const played = await plan.play(connected, stale);
      if (stale.aborted) return code;
      await printReport(plan.file, played, given, out, verdicts);
      if (!verdicts) noteNew(played, out, 'Accept them without `--watch`, with `--update`.');
      verdicts = new Map(played.map(({ pin, verdict }) => [pin.name, verdict]));
      return exitCodeOfCalls(played);
    };
    const connect: Action['connect'] = {
      ...plan.connect,
      out,
      explain: async (_out, _look, why) => {
        failure = why;
        return true;
      },
    };
    const onStale = (): void => void close();
    stale.addEventListener('abort', onStale, { once: true });
    const ended = await runOn(launch, Object.assign(play, { connect }), server, version, (next) => {
      close = next;
      if (stale.aborted) void close();
    });
    if (stale.aborted) return undefined;
    code = ended;
    if (!failure) return { opened: true, id };
    const { message, advice } = failure;
    return { opened: false, id, failure: { what: 'server', message, advice }, gone: GONE.has(failure.code) };
  };

  const entry: WatchedEntry = {
    clock: systemClock,
    good: () => undefined,
    show: stateLines(out),
    print: (sentence) => out.printNote('mcp-inspect', sentence),
    restart,
    ...(build && launch.transport === 'stdio' && { build: terminalBuild(build, launch, out) }),
    ...(launch.transport !== 'stdio' && { answers: () => answers(launch.url, server.options.allowLinkLocal) }),
  };
  const watch = new EntryWatch(entry, withFile(planFor(launch, { globs, ...(build && { build }) }), resolve(file)));
  const interrupted = new Promise<void>((stop) => {
    onSignals(
      () => watch.stop(),
      () => {
        stop();
        return true;
      },
    );
  });
  await watch.start();
  watch.runAgain();
  await interrupted;
  out.status.end();
  await watch.stop();
  return code;
}

/** Options that are about one session. */
const REFUSED: Readonly<Record<string, string>> = {
  record: 'records one session, and `--watch` starts one at each save.',
  update: 'accepts answers, and with `--watch` every save would.',
};

/** Returns a function that prints what is new in each state. */
function stateLines(out: Output): (state: WatchState) => void {
  let last: WatchState | undefined;
  return (state) => {
    const { phase, saves, saved, failure, limit, where, files } = state;
    const before = last;
    last = state;
    if (limit !== undefined && limit !== before?.limit) out.printNote('mcp-inspect', limit);
    if (saved && saved.file !== '' && saves !== before?.saves) {
      const more = saved.more === 0 ? 'was' : `and ${countOf(saved.more, 'other file')} were`;
      out.printNote('mcp-inspect', `${saved.file} ${more} saved.`);
    }
    const watched = `${countOf(files, 'file')} (${where})`;
    if (phase === 'watching') {
      if (before?.phase === 'looking') out.printNote('mcp-inspect', `Watching ${watched}. Ctrl-C ends.`);
      if (failure && failure !== before?.failure && failure.what !== 'watch') printWhy(failure, out);
    }
    if (phase !== 'restarting') out.status.show(PHASES[phase] ?? `Watching ${watched}… Ctrl-C ends`);
  };
}

const PHASES: Partial<Record<WatchState['phase'], string>> = {
  looking: 'Looking for files to watch…',
  building: 'Building… Ctrl-C ends',
  waiting: 'Waiting until the server answers… Ctrl-C ends',
};

function printWhy({ message, advice, line, place }: WatchFailure, out: Output): void {
  out.printNote('mcp-inspect', `${message} ${advice}`);
  if (line !== undefined && place !== undefined && !line.includes(place)) out.printNote('mcp-inspect', place);
}

/** Runs the build, and prints its output as it comes. */
function terminalBuild(words: readonly string[], { cwd }: Launch & { transport: 'stdio' }, out: Output) {
  let running: Build | undefined;
  const openOutput = () =>
    new StderrLines(systemClock, (source, start, end) => {
      out.printNote('build', Buffer.from(source.buffer, source.byteOffset + start, end - start).toString());
    });
  return {
    run: async () => {
      const env = helperEnvironment(process.env);
      running = new Build(ownReaper, systemClock);
      const failure = await running.run({ words, cwd, env }, openOutput);
      running = undefined;
      return failure && { ...failure, advice: 'Fix the error, and save again.' };
    },
    stop: async () => running?.stop(),
  };
}
