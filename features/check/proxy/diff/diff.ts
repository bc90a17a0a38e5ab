import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { PINS_FILE, type Pin } from '@/features/check/lib/pins/pins-file';
import { type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { endWith, exitCodeOf } from '@/proxy/commands/headless/on-server';
import { readCompareOptions } from '@/proxy/commands/shared/compare-report';
import { namedFile } from '@/proxy/commands/shared/file-access';
import { type LocalFile, requireOneStdin } from '@/proxy/commands/shared/recording-files';
import { checkReports } from '@/proxy/commands/shared/report-files';
import { agreedPins, readPinsFile } from '../test/pins-file';
import { refuseClientOptions } from '../test/run-tests';
import { compareServers, compareWithRecording, recordedSide } from './compare-sides';
import { prepareSide, type SideSettings } from './connect-side';
import { diffRecordings, openRecording } from './diff-recordings';
import { endDiff } from './end-diff';
import { readGates } from './gates';
import { distinguishingOptions, namesServer, sidesOf } from './sides';

/** Compares two recordings, a recording and a server, two servers, or one server in two ways. */
export const run: RunCommand = async (context) => {
  const { request } = context;
  requireOneStdin(request.words);
  const [one, other] = request.words;
  checkReports(request.given, 'report.junit');
  const [isLive, isTwo] = [namesServer(request), request.server.includes('---')];
  if (!isLive && one !== undefined && other !== undefined)
    return diffRecordings(await namedFile(one, context), await namedFile(other, context), context);
  if (!isLive || other !== undefined || (!isTwo && one === undefined)) throw usageError(FORMS);
  try {
    return await (isTwo ? diffServers(context) : diffWithServer(await namedFile(one!, context), context));
  } catch (error) {
    return printFailure(error, exitCodeOf);
  }
};

const FORMS =
  'Name two sides: `diff A B` compares recordings, `diff A -- SERVER` the lists of a recording and a server, and `diff -- SERVER --- SERVER` two servers.';

/** Compares two servers, or one server in two ways: their lists, and their answers to pinned calls. */
async function diffServers(context: CommandContext): Promise<ExitCode> {
  const { request, version, home, status } = context;
  const { given } = request;
  const [how, gates] = [readCompareOptions(given), readGates(given)];
  const [first, second] = sidesOf(request);
  const pins = await readPinsOf(context);
  const one = await prepareSide('A', first, distinguishingOptions(first, second), home);
  const other = await prepareSide('B', second, distinguishingOptions(second, first), home);
  const plan = { pins, how, gates, status, version, onClose: endAll() };
  return compareServers(one, other, plan, (diff) => endDiff(diff, gates, context));
}

/** Compares the lists of a recording with those of a server, which gets the recorded client. */
async function diffWithServer(file: LocalFile, context: CommandContext): Promise<ExitCode> {
  const { request, version, home, status } = context;
  refuseClientOptions([{ ...file, kind: 'recording' }], request.given);
  const [how, gates] = [readCompareOptions(request.given), readGates(request.given)];
  const { client, protocol } = await recordedSide(await openRecording(file, context));
  const live = await prepareSide('the server', request, '', home, protocol);
  const plan = { how, gates, status, version, client, onClose: endAll() };
  return compareWithRecording(file, live, plan, (diff) => endDiff(diff, gates, context));
}

/** Ends all connections by signals. Returns what collects them. */
function endAll(): SideSettings['onClose'] {
  const ends: (() => Promise<void>)[] = [];
  endWith(async () => void (await Promise.all(ends.map((end) => end()))));
  return (end) => ends.push(end);
}

/** Reads the named pins file, or the usual one if there is one and a person agrees. Throws an ExitError. */
async function readPinsOf(context: CommandContext): Promise<readonly Pin[]> {
  const { words, given } = context.request;
  const file = words[0] ?? lastValue(given, 'pins') ?? PINS_FILE;
  const isFound = file === PINS_FILE && words[0] === undefined && !given.has('pins');
  if (isFound && !existsSync(resolve(PINS_FILE))) return [];
  const local = await namedFile(file, context);
  if (!isFound) return (await readPinsFile(local)).pins;
  const agreed = await agreedPins(local);
  if (agreed) return agreed;
  // A gate must not become weaker because nobody could be asked.
  if (given.has('fail-on')) throw usageError(`Nothing is compared: name the calls with \`--pins ${PINS_FILE}\`.`);
  return [];
}
