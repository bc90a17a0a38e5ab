import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckedSource } from '@/features/check/lib/report';
import { CHOSEN_FILES } from '@/features/check/proxy/options';
import { UPLOADS } from '@/features/recording-stores';
import { choiceOf } from '@/proxy/cli/choice';
import { EXIT, type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import {
  type CommandContext,
  type CommandRequest,
  isServerFile,
  lastValue,
  type ParsedOptions,
  type RunCommand,
  readCountOption,
} from '@/proxy/cli/grammar';
import { readRecord } from '@/proxy/cli/page-options';
import { readSeconds } from '@/proxy/cli/seconds';
import { readServerOptions } from '@/proxy/cli/server-options';
import type { Status } from '@/proxy/cli/status-line';
import { type ClientOptions, readClientOptions, readHost } from '@/proxy/commands/headless/client-options';
import { endWith, exitCodeOf, findLaunch, readServerRequest } from '@/proxy/commands/headless/on-server';
import { MOST_JOBS, requireConfigAlone } from '@/proxy/commands/shared/config-servers';
import { chosenFileAccess, namedFile } from '@/proxy/commands/shared/file-access';
import { isForDirectories, readForHosts } from '@/proxy/commands/shared/for-hosts';
import { keptCredentials } from '@/proxy/commands/shared/kept-credentials';
import type { ReadRecording } from '@/proxy/commands/shared/recording-file';
import { recordingFiles, withLocalFile } from '@/proxy/commands/shared/recording-files';
import { exitingOnInterrupt } from '@/proxy/commands/shared/until-interrupted';
import { withTemporaryFolder } from '@/proxy/files/temporary-folder';
import { readCalls } from './calls';
import { checkConfig, sharedNames } from './check-config';
import { CHECK_MS, type CheckEnd, endCheck, readCheckEnd } from './check-options';
import { checkNamedFile, uncheckedRecording } from './check-recordings';
import { checkServer, stepsFor } from './check-server';
import type { SessionStep } from './check-session';
import { clientSentences } from './client-differences';
import type { ConformanceTarget } from './conformance/conformance';
import { isDirectoryFile } from './directory-file';
import { makeFleetFolder, writeFleet } from './fleet';
import { FLEET_FILES, fleetRows, matrixText } from './fleet-rows';
import { pinsStep } from './pins';
import { numberedPath, SessionRecordings } from './session-recordings';

/** Checks recordings or a server, and reports every problem. */
export const run: RunCommand = async (context) => {
  const end = await readCheckEnd(context);
  const request = withReadFiles(context.request);
  if (request.words.length > 0) return exitingOnInterrupt(context, () => checkFiles({ ...context, request }, end));
  try {
    return await checkLive(context, end);
  } catch (error) {
    return printFailure(error, exitCodeOf);
  }
};

/** For directories alone, the file of a server is read, and not started. */
function withReadFiles(request: CommandRequest): CommandRequest {
  const [file, ...more] = request.server;
  const isRead = file !== undefined && more.length === 0 && isServerFile(file) && isForDirectories(request.given);
  return isRead ? { ...request, words: [...request.words, file], server: [] } : request;
}

async function checkFiles(context: CommandContext, end: CheckEnd): Promise<ExitCode> {
  const { request } = context;
  const { target, server, demo } = readServerOptions(request);
  if (target || server !== undefined || demo) {
    throw usageError('A recording and a server are named: check one after the other.');
  }
  if (request.given.has('out')) throw usageError('`--out` is for the servers of a config: remove the recordings.');
  if (request.given.has('pins')) throw usageError('`--pins` plays calls, so it needs a server, not a recording.');
  const host = await readHost(lastValue(request.given, 'as'));
  const at = new Date().toISOString();
  const sources: CheckedSource[] = [];
  const recordings: ReadRecording[] = [];
  let unread = 0;
  const files = await recordingFiles(request.words, chosenFileAccess(context));
  const hosts = await readForHosts(request.given);
  for (const file of files) {
    try {
      sources.push(await withLocalFile(file, (path) => checkNamedFile(path, context, file.shown, hosts)));
      if (!isDirectoryFile(file.path, hosts)) recordings.push(file);
    } catch (error) {
      sources.push(uncheckedRecording(file.shown, error));
      unread++;
    }
  }
  context.status.end();
  const code = await endCheck(reportOf(context, end, sources, at), end, context);
  for (const file of host ? recordings : []) {
    const lines = await withLocalFile(file, (path) => clientSentences(path, file.shown, host!, context.status));
    context.status.end();
    for (const line of lines) context.printNote(`mcp-inspect: ${file.shown}: ${line}`);
  }
  const page = readPagePath(request.given);
  if (page !== undefined) await writePages(page, recordings, context);
  // Somebody may have meant a command, as in `check node server.js`.
  if (unread === files.length)
    context.printNote(
      'To check a server, put `--` before its command: `check -- node server.js`. For the servers of a config, put `--config` before its path.',
    );
  return unread > 0 ? EXIT.usage : code;
}

/** Checks servers. A page needs recordings, which are deleted afterwards unless `--record` asks for them. */
async function checkLive(context: CommandContext, end: CheckEnd): Promise<ExitCode> {
  const { given } = context.request;
  const [page, record] = [readPagePath(given), readRecord(given)];
  if (page === undefined)
    return checkServers(context, end, record === undefined ? undefined : new SessionRecordings(record));
  if (record !== undefined) return withPages(page, new SessionRecordings(record));
  return withTemporaryFolder((folder) =>
    withPages(page, new SessionRecordings(join(folder, 'check.mcpr.jsonl'), false)),
  );

  async function withPages(path: string, recordings: SessionRecordings): Promise<ExitCode> {
    const code = await checkServers(context, end, recordings);
    const files = recordings.files.filter(existsSync);
    await writePages(
      path,
      files.map((file) => ({ path: file, shown: file, isNamed: true })),
      context,
    );
    return code;
  }
}

/** Makes `--request-timeout` limit the handshake, but no other request: a step may send several, and ask again. */
function limitingSteps(client: ClientOptions | undefined): ClientOptions | undefined {
  if (!client?.profile.timeouts) return client;
  const { timeouts, ...profile } = client.profile;
  return { ...client, profile, handshakeMs: timeouts.startMs ?? timeouts.silenceMs };
}

async function checkServers(
  context: CommandContext,
  end: CheckEnd,
  recordings: SessionRecordings | undefined,
): Promise<ExitCode> {
  const { request, version, home, status } = context;
  const at = new Date().toISOString();
  const client = limitingSteps(await readClientOptions(request.given));
  const calls = readCalls(lastValue(request.given, 'allow'));
  const isLong = calls !== 'none' || request.given.has('conformance') || request.given.has('pins');
  const limits = {
    wholeMs: msOf(request.given, 'timeout') ?? (isLong ? CHECK_MS.longWhole : CHECK_MS.whole),
    stepMs: msOf(request.given, 'request-timeout') ?? CHECK_MS.step,
  };
  const pins = lastValue(request.given, 'pins');
  if (pins !== undefined && request.given.has('all')) {
    throw usageError('`--pins` is about one server, and `--all` about several: check that server alone.');
  }
  const pinned = pins === undefined ? [] : [await pinsStep(await namedFile(pins, context))];
  const hosts = await readForHosts(request.given);
  const suite = request.given.has('conformance') ? await loadConformance(request.given) : undefined;
  const conformance = suite && ((target: ConformanceTarget) => suite(target, status));
  const shared = {
    ...(recordings && { recordings }),
    ...(conformance && { conformance }),
    version,
    status,
    limits,
    hosts,
  };
  const stepsOf = (): readonly SessionStep[] => stepsFor(pinned, calls, hosts);
  let isUploaded = true;
  const onNotUploaded = (): void => {
    isUploaded = false;
  };
  const ended = (code: ExitCode): ExitCode =>
    isUploaded || !request.given.has('require-upload') ? code : EXIT.noConnection;
  let close = async (): Promise<void> => {};
  const onClose = (next: () => Promise<void>): void => {
    close = next;
  };
  const choice = CHOSEN_FILES.find(({ name }) => request.given.has(name));
  if (choice) throw usageError(`\`--${choice.name}\` chooses recordings, and a server is checked: remove it.`);
  const folder = lastValue(request.given, 'out');
  if (folder !== undefined && !request.given.has('all')) {
    throw usageError('`--out` writes the page of all servers of a config: add `--config FILE --all`.');
  }
  if (request.given.has('all')) {
    const options = readServerOptions(request);
    const jobs = readCountOption('jobs', lastValue(request.given, 'jobs') ?? '2', MOST_JOBS);
    requireConfigAlone(options, 'check');
    if (folder !== undefined) await makeFleetFolder(folder);
    endWith(() => close());
    const upload = UPLOADS?.read((name) => request.given.get(name));
    const server = { options, json: true, client, credentials: keptCredentials(options), upload, onNotUploaded };
    const check = { ...shared, server };
    const entries = await checkConfig({ options, home, jobs, check, stepsOf, onClose, printNote: context.printNote });
    const names = sharedNames(entries, options.config!);
    const sources = [...entries.flatMap((entry) => entry.sources), ...(names ? [names] : [])];
    const report = reportOf(context, end, sources, at);
    const code = await endCheck(report, end, context, (left) =>
      matrixText(fleetRows(entries, left, undefined), process.stdout.columns),
    );
    if (folder !== undefined) {
      await writeFleet(folder, entries, report, end, options.config!);
      context.printNote(`mcp-inspect: Wrote ${join(folder, FLEET_FILES.page)} and ${FLEET_FILES.json}.`);
    }
    return ended(entries.every(({ failure }) => failure) ? EXIT.noConnection : code);
  }
  const { timeoutMs: _, record: __, ...server } = readServerRequest(request);
  const launch = await findLaunch(server.options, home);
  endWith(() => close());
  const { sources, failure } = await checkServer(launch, {
    ...shared,
    steps: stepsOf(),
    server: { ...server, client, onNotUploaded },
    onClose,
  });
  const code = await endCheck(reportOf(context, end, sources, at), end, context);
  return ended(failure ? EXIT.noConnection : code);
}

/** Finds the official suite before anything starts. Throws an ExitError. */
async function loadConformance(given: ParsedOptions) {
  const [{ findSuite, SURROUNDINGS }, { checkConformance }] = await Promise.all([
    import('./conformance/find-suite'),
    import('./conformance/conformance'),
  ]);
  const where = choiceOf('--conformance', lastValue(given, 'conformance')!, ['installed', 'fetch']);
  const suite = findSuite(where === 'fetch', SURROUNDINGS());
  return (target: ConformanceTarget, status: Status) => checkConformance(suite, target, status);
}

function msOf(given: ParsedOptions, name: string): number | undefined {
  const seconds = lastValue(given, name);
  return seconds === undefined ? undefined : readSeconds(name, seconds);
}

function reportOf({ version }: CommandContext, { failOn }: CheckEnd, sources: readonly CheckedSource[], at: string) {
  return { version, sources, failOn, accepted: 0, at };
}

/** Reads `--report html`. Throws an ExitError. */
function readPagePath(given: ParsedOptions): string | undefined {
  const path = lastValue(given, 'report.html');
  if (path === undefined || /\.html?$/.test(path)) return path;
  throw usageError(`\`--report html\` needs a file name that ends in \`.html\`: \`${path}\`.`);
}

/**
 * Writes each recording as a page with its viewer, opened on the problems, with secrets masked as `share` does: the
 * first one to `path`, the others beside it. Throws an ExitError or a Failure.
 */
async function writePages(path: string, recordings: readonly ReadRecording[], context: CommandContext): Promise<void> {
  const { sharePage } = await import('@/proxy/commands/share/share');
  for (const [at, recording] of recordings.entries()) {
    const page = numberedPath(path, at + 1);
    await withLocalFile(recording, (local) => sharePage(local, page, 'problems', context));
    context.printNote(`mcp-inspect: \`${page}\` shows the messages and the problems of the rules.`);
  }
}
