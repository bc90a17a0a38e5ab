import { basename } from 'node:path';
import { junitXml } from '@/lib/ci/junit-xml';
import { countOf, formatCount } from '@/lib/wire/format';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, ParsedOptions } from '@/proxy/cli/grammar';
import { CLIENT_OPTIONS } from '@/proxy/cli/options';
import { type CommandOutput, terminalOutput } from '@/proxy/cli/output';
import type { Status } from '@/proxy/cli/status-line';
import { readClientOptions } from '@/proxy/commands/headless/client-options';
import { endWith, findLaunch, readServerRequest, runOn } from '@/proxy/commands/headless/on-server';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { writeReports } from '@/proxy/commands/shared/report-files';
import { findTestFiles, type TestFile } from './find-files';
import { type PinsWatch, preparePins } from './play-pins';
import { prepareRecording } from './play-recording';
import type { FileTest, Tested } from './tested';

/** Plays each file on a server of its own. Rejects with an ExitError or a Failure. */
export async function runTests(context: CommandContext): Promise<ExitCode> {
  const { request, version, home, status } = context;
  const { given } = request;
  const server = { ...readServerRequest(request), client: await readClientOptions(given) };
  const files = await findTestFiles(context);
  refuseClientOptions(files, given);
  if (given.has('update') && server.record !== undefined && files.some(({ kind }) => kind === 'recording'))
    throw usageError('`--update` records by itself: leave out `--record`.');
  if (server.record !== undefined && files.length > 1)
    throw usageError('`--record` records one session, and each file has its own: name one file.');
  const out = terminalOutput(server.json);
  const all: Tested[] = [];
  let [close, interrupt] = [async () => {}, () => false];
  endWith(
    () => close(),
    () => interrupt(),
  );
  for (const file of files) {
    const test = await prepareFile(file, given, status);
    interrupt = test.play.connect?.interrupt ?? interrupt;
    if (files.length > 1 && !out.json) out.printLines([[{ text: file.shown, tone: 'strong' }]]);
    const launch = await findLaunch(server.options, home, test.play.connect?.protocol);
    const asked = test.record === undefined ? server : { ...server, record: test.record };
    const code = await runOn(launch, test.play, asked, version, (end) => {
      close = end;
    });
    await test.finish?.();
    all.push(test.tested() ?? { file: file.shown, name: basename(file.shown), code });
    if (code === EXIT.interrupted) break;
  }
  await endTests(all, given, out);
  return worst(all.map(({ code }) => code));
}

/** Reads a file, to play it. `watch`: how a pins file is played again. Rejects with an ExitError. */
export function prepareFile(
  file: TestFile,
  given: ParsedOptions,
  status: Status,
  watch?: PinsWatch,
): Promise<FileTest> {
  return file.kind === 'pins' ? preparePins(file, given, watch) : prepareRecording(file, given, status);
}

/** Prints and writes what is said about all files together. */
export async function endTests(all: readonly Tested[], given: ParsedOptions, out: CommandOutput): Promise<void> {
  if (out.json) out.printExact(jsonReport(all));
  else if (all.length > 1) {
    const passed = all.filter(({ code }) => code === EXIT.fine).length;
    const text = `${countOf(all.length, 'file')}: ${formatCount(passed)} passed.`;
    out.printLines([[{ text, tone: passed === all.length ? 'good' : 'bad' }]]);
  }
  const unreached = (file: string) => [{ className: 'server', name: file, failures: ['There was no connection.'] }];
  await writeReports(given, 'report.junit', () =>
    junitXml(all.map(({ name, file, cases }) => ({ name, cases: cases ?? unreached(file) }))),
  );
}

/** Options that say nothing about a recorded client, or that settings of a team may give to all commands. */
const EFFECTIVE: ReadonlySet<string> = new Set(['client']);

/** Refuses options about the client for recordings, which have their own. Throws an ExitError. */
export function refuseClientOptions(files: readonly Pick<TestFile, 'kind' | 'shown'>[], given: ParsedOptions): void {
  const recording = files.find(({ kind }) => kind === 'recording');
  const option = CLIENT_OPTIONS.find(({ name }) => !EFFECTIVE.has(name) && given.has(name));
  if (recording && option) {
    throw usageError(
      `\`${recording.shown}\` is played with its recorded client, so \`--${option.name}\` has no effect: remove it.`,
    );
  }
}

function jsonReport(all: readonly Tested[]): string {
  const [one] = all;
  if (all.length === 1) return terminalJson(one!.json ?? {});
  return terminalJson(all.map(({ file, json, code }) => ({ file, code, ...json })));
}

/** Most serious first. */
const SERIOUS: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.internal,
  EXIT.noConnection,
  EXIT.timeout,
  EXIT.serverError,
];

/** Returns the most serious of exit codes. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  return SERIOUS.find((code) => codes.includes(code)) ?? EXIT.fine;
}
