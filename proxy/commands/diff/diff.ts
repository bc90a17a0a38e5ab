import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { PINS_FILE, type Pin } from '@/lib/pins/pins-file';
import { secretsOf } from '@/lib/pins/play-pins';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { recordedClient } from '@/lib/replay/compare/recorded-client';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, type CommandRequest, lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { readTrafficFile } from '@/proxy/recorder/read-traffic';
import { endWith, exitCodeOf } from '../headless/on-server';
import { compareWithStatus, readCompareOptions } from '../shared/compare-report';
import { checkReports } from '../shared/report-files';
import { readPinsFile } from '../test/pins-file';
import { connectSide, prepareSide, type SideSettings } from './connect-side';
import { diffOf, diffRecordings, openRecording } from './diff-recordings';
import { endDiff } from './end-diff';
import { readGates } from './gates';
import { liveDiff } from './live-report';
import { playSides, trafficOf } from './play-sides';
import { namesServer, sidesOf, tellingOptions } from './sides';

/** Compares two recordings, a recording and a server, two servers, or one server in two ways. */
export const run: RunCommand = async (context) => {
  const { request } = context;
  const [one, other] = request.words;
  checkReports(request.given, 'report.junit');
  const [isLive, isTwo] = [namesServer(request), request.server.includes('---')];
  if (!isLive && one !== undefined && other !== undefined) return diffRecordings(one, other, context);
  if (!isLive || other !== undefined || (!isTwo && one === undefined)) throw usageError(FORMS);
  try {
    return await (isTwo ? diffServers(context) : diffWithServer(one!, context));
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
  const pins = await readPinsOf(request);
  const one = await prepareSide('A', first, tellingOptions(first, second), home);
  const other = await prepareSide('B', second, tellingOptions(second, first), home);
  const environment = (name: string): string | undefined => process.env[name];
  const secrets = secretsOf(pins, environment);
  const redactor = new CaptureRedactor(secrets);
  const settings = { redactor, secrets, version, onClose: endAll() };
  return connectSide(one, settings, (connected) =>
    connectSide(other, settings, async (beside) => {
      const plan = { pins, how, environment, redactor, status };
      const result = await playSides([one.side, connected], [other.side, beside], plan);
      return endDiff(liveDiff(`${one.side.title} → ${other.side.title}`, result, gates), gates, context);
    }),
  );
}

/** Compares the lists of a recording with those of a server, which gets the recorded client. */
async function diffWithServer(file: string, context: CommandContext): Promise<ExitCode> {
  const { request, version, home, status } = context;
  const [how, gates] = [readCompareOptions(request.given), readGates(request.given)];
  const opened = await openRecording(file, context);
  const { era, version: spoken } = opened.traffic;
  const client = recordedClient(opened.traffic, new Map());
  // A server that does not speak the modern era any more is found by probing.
  const recorded = era === 'legacy' ? PROTOCOL_VERSIONS.find((known) => known === spoken) : undefined;
  await opened.close();
  const live = await prepareSide('the server', request, '', home, recorded);
  const redactor = new CaptureRedactor([]);
  const settings = { redactor, secrets: [], version, client, onClose: endAll() };
  return connectSide(live, settings, async (connected) => {
    status.show('Reading the lists of the server… Ctrl-C cancels');
    const frames = await live.side.readLists(connected);
    for (const frame of frames) redactor.apply(frame);
    // One redactor for both, so that equal values stay equal.
    const masking = redactor.fork();
    const before = await readTrafficFile(resolve(file), { through: (frame) => masking.apply(frame) });
    const after = trafficOf(frames, redactor.fork());
    const comparison = await compareWithStatus(before.traffic, after, how, status, []);
    const sides = [file, 'the server', `${file} or the server`] as const;
    const code = await endDiff(diffOf(`${file} → ${live.side.title}`, comparison, sides, gates), gates, context);
    await before.close();
    return code;
  });
}

/** Ends all connections by signals. Returns what collects them. */
function endAll(): SideSettings['onClose'] {
  const ends: (() => Promise<void>)[] = [];
  endWith(async () => void (await Promise.all(ends.map((end) => end()))));
  return (end) => ends.push(end);
}

/** Reads the named pins file, or the usual one if there is one. Throws an ExitError. */
async function readPinsOf({ words: [word], given }: CommandRequest): Promise<readonly Pin[]> {
  const file = word ?? lastValue(given, 'pins');
  if (file === undefined && !existsSync(resolve(PINS_FILE))) return [];
  return (await readPinsFile(file ?? PINS_FILE)).pins;
}
