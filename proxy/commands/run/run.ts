import { resolve } from 'node:path';
import { acceptAnswers } from '@/lib/pins/pins-file';
import type { PlayedPin } from '@/lib/pins/play-pins';
import { countOf, formatCount } from '@/lib/wire/format';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import type { Output } from '@/proxy/cli/output';
import { readWatch } from '@/proxy/cli/page-options';
import { readNamedFile } from '@/proxy/files/named-files';
import { replaceFile, writeErrorReason } from '@/proxy/files/private-files';
import { MOST_PINS_BYTES } from '@/proxy/pins/pins-on-disk';
import { type Action, type ConnectedServer, onServer, type ServerCommand } from '../headless/on-server';
import { exitCodeOfCalls, noteNew, type PinsPlay, printReport, readPlay } from './pins-play';

const once = onServer(async (request) => {
  const { given } = request;
  const plan = await readPlay(request);
  const stop = new AbortController();
  let isPlaying = false;
  const play = async (server: ConnectedServer): Promise<ExitCode> => {
    const { out } = server;
    isPlaying = true;
    const played = await plan.play(server, stop.signal);
    isPlaying = false;
    await printReport(plan.file, played, given, out);
    if (stop.signal.aborted) {
      const all = countOf(plan.pins.length, 'call');
      out.printNote('mcp-inspect', `Interrupted after ${formatCount(played.length)} of ${all}.`);
      return EXIT.interrupted;
    }
    if (given.has('update')) return accept(plan, played, out);
    noteNew(played, out, 'Accept what you see with `--update`.');
    return exitCodeOfCalls(played);
  };
  const interrupt = (): boolean => {
    stop.abort();
    return isPlaying;
  };
  return Object.assign(play, { connect: { ...plan.connect, interrupt } } satisfies Pick<Action, 'connect'>);
});

/** Plays the pinned calls of a file in one session, and compares their answers with those that were accepted. */
export const run: ServerCommand = Object.assign(
  async (context: CommandContext): Promise<ExitCode> => {
    if (!readWatch(context.request.given).on) return once(context);
    const { watchRuns } = await import('./run-watch');
    return watchRuns(context);
  },
  { prepare: once.prepare },
);

/** Accepts every answer that is not the accepted one, and writes the file. */
async function accept({ file, text }: PinsPlay, played: readonly PlayedPin[], out: Output): Promise<ExitCode> {
  const taken = played.filter(({ verdict, answer }) => answer && verdict !== 'same');
  const left = played.filter(({ answer }) => !answer).length;
  if (taken.length > 0) {
    const { text: now } = await readNamedFile(resolve(file), { most: MOST_PINS_BYTES });
    if (now !== text) throw usageError(`\`${file}\` has changed meanwhile, so nothing was accepted: run this again.`);
    const written = acceptAnswers(text, new Map(taken.map(({ index, answer }) => [index, answer!])));
    await replaceFile(resolve(file), written).catch((error: unknown) => {
      throw usageError(`\`${file}\` can’t be written: ${writeErrorReason(error)}.`);
    });
  }
  out.printNote('mcp-inspect', `Accepted ${countOf(taken.length, 'answer')} in ${file}.`);
  return left === 0 ? EXIT.fine : EXIT.serverError;
}
