import { resolve } from 'node:path';
import { writePins } from '@/features/check/lib/pins/pins-file';
import { paramsToSend, playPlan } from '@/lib/replay/compare/recorded-client';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { writeErrorReason, writeNewFile } from '@/proxy/files/private-files';
import { readTrafficFile } from '@/proxy/recorder/read-traffic';

/** The files that the result is written to. */
interface ReportFiles {
  readonly recording: string;
  readonly pins: string;
  readonly report: string;
}

export function reportFiles(name: string): ReportFiles {
  return { recording: `${name}.mcpr.jsonl`, pins: `${name}.pins.json`, report: `${name}.md` };
}

/** A message of the client, without the handshake. */
export interface KeptMessage {
  readonly kind: 'request' | 'notification';
  readonly method: string;
  /** JSON text. */
  readonly params: string | undefined;
}

const NO_SECRETS = new Map<string, string>();

/**
 * Writes the requests of a recording as a pins file, and its bug report. Both are made of the recording, where secrets
 * are masked. Rejects with an ExitError if a file can't be written.
 */
export async function writeSessionReports(
  files: ReportFiles,
  context: CommandContext,
): Promise<readonly KeptMessage[]> {
  const opened = await readTrafficFile(resolve(files.recording));
  const kept = playPlan(opened.traffic, NO_SECRETS, true).map((step): KeptMessage => {
    if (step.kind === 'notification') return step;
    const { method, params } = step.call;
    return { kind: 'request', method, params: params && paramsToSend(params) };
  });
  await opened.close();
  const requests = kept.filter(({ kind }) => kind === 'request');
  await writeTo(files.pins, writePins(requests.map(({ method, params }) => ({ method, params, accepted: undefined }))));
  await writeTo(files.report, await bugReportOf(files.recording, context));
  return kept;
}

/** Returns what `share --format md` prints. */
async function bugReportOf(recording: string, context: CommandContext): Promise<string> {
  const { run } = await import('@/proxy/commands/share/share');
  const printed: string[] = [];
  await run({
    ...context,
    request: { command: 'share', words: [recording], given: new Map([['format', ['md']]]), server: [] },
    printText: (text) => printed.push(text),
  });
  return printed.join('\n');
}

async function writeTo(path: string, text: string): Promise<void> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  await writeNewFile(resolve(path), bytes()).catch((error) => {
    throw usageError(`\`${path}\` can’t be written: ${writeErrorReason(error)}. Name other files with \`--out NAME\`.`);
  });
}
