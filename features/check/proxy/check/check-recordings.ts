import { listFacts, qualityFindings } from '@/features/check/lib/quality';
import { RecordedLists } from '@/features/check/lib/recorded-lists';
import type { CheckedSource } from '@/features/check/lib/report';
import { SessionMeasures } from '@/features/check/lib/session-measures';
import { judgeFrames } from '@/lib/problems/judge-frames';
import { recordingLacks } from '@/lib/recording/read-header';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import { Log } from '@/lib/store/log';
import { progressText } from '@/lib/wire/format';
import { runYielding } from '@/lib/wire/in-slices';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { type FileContext, fileAccess } from '@/proxy/commands/shared/file-access';
import type { ForHosts } from '@/proxy/commands/shared/for-hosts';
import { recordingFiles, withLocalFile } from '@/proxy/commands/shared/recording-files';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { openErrorText, openFile } from '@/proxy/recorder/open-file';
import { damageSentences, readPortions } from '@/proxy/recorder/read-traffic';
import { checkDirectoryFile, UnjudgedFile } from './check-directory-file';
import { isDirectoryFile } from './directory-file';
import { judgeLog } from './judge-for-hosts';
import { measuresTogether } from './measured';

/**
 * Judges a recording in a file, read as a stream. `file`: its name in the report. Rejects as `openFile` and the reader
 * do.
 */
export async function checkRecordingFile(
  path: string,
  { status }: Pick<CommandContext, 'status'>,
  file = path,
  hosts?: ForHosts,
): Promise<CheckedSource> {
  const began = performance.now();
  const opened = await openFile(path);
  let used = false;
  let recorded = new TolerantReader();
  let lists = new RecordedLists();
  let measures = new SessionMeasures();
  let log: Log | undefined;
  const read = async function* () {
    // The same file at the same length, if it is read again.
    const again = used ? await openFile(path, opened) : opened;
    used = true;
    const { reader, portions } = readPortions(again, (progress) =>
      status.show(`Checking ${file}: ${progressText(progress)}`),
    );
    recorded = reader;
    lists = new RecordedLists();
    measures = new SessionMeasures();
    log = hosts && new Log(file);
    for await (const frames of portions) {
      log?.append(frames);
      for (const frame of frames) {
        lists.addFrame(frame);
        measures.addFrame(frame);
      }
      yield frames;
    }
  };
  const judged = await judgeFrames(read, runWithin);
  const hostsBegan = performance.now();
  const forHosts = hosts && log && judgeLog(hosts, log);
  const qualityBegan = performance.now();
  const quality = await runYielding(
    qualityFindings(lists.listed, lists.version, measuresTogether(), forHosts?.facts.hosts),
  );
  const qualityMs = performance.now() - qualityBegan;
  status.end();
  const { reader, report, failure } = recorded;
  const header = reader.header!;
  const damage = report ? damageSentences({ header, report, ...(failure !== undefined && { failure }) }) : [];
  const { damaged, missing } = recordingLacks(report, header.lacks) ?? {};
  const isPart = header.selection !== undefined || damaged !== undefined || missing !== undefined;
  const findings = judged.findings.filter(
    ({ needsEveryFrame, fromServer }) =>
      // A check sends messages that are wrong on purpose.
      (!isPart || !needsEveryFrame) && (header.mode !== 'check' || fromServer),
  );
  return {
    name: header.name || file,
    file,
    facts: {
      transport: header.transport,
      frames: judged.frames,
      ...listFacts(lists.listed),
      ...measures.facts,
      ...forHosts?.facts,
    },
    steps: [
      { name: 'rules', ms: hostsBegan - began, findings },
      { name: 'quality', ms: qualityMs, findings: quality },
      ...(forHosts ? [{ name: 'hosts', ms: qualityBegan - hostsBegan, findings: forHosts.findings }] : []),
    ],
    notes: [
      ...damage,
      ...(isPart ? ['Rules that need every frame are off, because frames are missing.'] : []),
      ...judged.failedRules.map((rule) => `The rule ${rule} failed, which is a fault of mcp-inspect.`),
    ],
  };
}

/** Judges a recording, or a file that describes a server. Rejects as these do. */
export async function checkNamedFile(
  path: string,
  context: Pick<CommandContext, 'status'>,
  file: string,
  hosts: ForHosts | undefined,
): Promise<CheckedSource> {
  return isDirectoryFile(path, hosts)
    ? checkDirectoryFile(path, file, hosts)
    : checkRecordingFile(path, context, file, hosts);
}

/** Judges the files that words name. Rejects with an ExitError for the first one that can’t be read. */
export async function checkNamed(
  words: readonly string[],
  context: FileContext,
  hosts: ForHosts | undefined,
): Promise<readonly CheckedSource[]> {
  const sources: CheckedSource[] = [];
  const status = { show: () => {}, end: () => {} };
  for (const file of await recordingFiles(words, fileAccess(context))) {
    const { shown } = file;
    const checked = withLocalFile(file, (path) => checkNamedFile(path, { status }, shown, hosts));
    sources.push(
      await checked.catch((error: unknown) => {
        throw usageError(`\`${shown}\` can’t be checked. ${reasonOf(error, 'of the recording')}`);
      }),
    );
  }
  return sources;
}

/** Returns the report of a file that can’t be checked, so that no report says it passed. */
export function uncheckedRecording(file: string, error: unknown): CheckedSource {
  const finding = {
    rule: 'unreadable',
    severity: 'error',
    title: 'Not checked',
    message: 'This file can’t be checked.',
    path: undefined,
    frames: [],
    advice: reasonOf(error, 'after `check`'),
    spec: undefined,
  } as const;
  return { name: file, file, facts: {}, steps: [{ name: 'read', ms: 0, findings: [finding] }], notes: [] };
}

function reasonOf(error: unknown, where: string): string {
  return error instanceof UnjudgedFile ? error.message : openErrorText(error, where);
}
