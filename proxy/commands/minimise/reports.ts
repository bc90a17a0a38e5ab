import { resolve } from 'node:path';
import { isObject, type JsonObject } from '@/lib/json/value';
import { playPlan } from '@/lib/replay/compare/recorded-client';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { writeErrorReason, writeNewFile } from '@/proxy/files/private-files';
import { readTrafficFile } from '@/proxy/recorder/read-traffic';

/** The files that the result is written to. */
interface ReportFiles {
  readonly recording: string;
  readonly cases: string;
  readonly report: string;
}

export function reportFiles(name: string): ReportFiles {
  return { recording: `${name}.mcpr.jsonl`, cases: `${name}.cases.json`, report: `${name}.md` };
}

/** A message of the client, without the handshake. */
export interface Case {
  readonly method: string;
  readonly params?: unknown;
}

const NO_SECRETS = new Map<string, string>();

/**
 * Writes the cases and the bug report of a recording. Both are made of the recording, where secrets are masked. Rejects
 * with an ExitError if a file can't be written.
 */
export async function writeReports(files: ReportFiles, context: CommandContext): Promise<readonly Case[]> {
  const opened = await readTrafficFile(resolve(files.recording));
  const cases = playPlan(opened.traffic, NO_SECRETS, true).map((step): Case => {
    if (step.kind === 'notification') return caseOf(step.method, step.params);
    return caseOf(step.call.method, step.kind === 'call' ? step.params : step.call.params);
  });
  await opened.close();
  await writeTo(files.cases, `${JSON.stringify({ cases }, undefined, 2)}\n`);
  await writeTo(files.report, await bugReportOf(files.recording, context));
  return cases;
}

function caseOf(method: string, params: string | undefined): Case {
  if (params === undefined) return { method };
  const given: unknown = JSON.parse(params);
  if (!isObject(given) || Object.keys(objectOr(given._meta)).length > 0) return { method, params: given };
  // Only the engine's own members were in it.
  const { _meta, ...rest } = given;
  return { method, params: rest };
}

function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns what `share --md` prints. */
async function bugReportOf(recording: string, context: CommandContext): Promise<string> {
  const { run } = await import('../share/share');
  const printed: string[] = [];
  await run({
    ...context,
    request: { command: 'share', words: [recording], given: new Map([['md', ['']]]), server: [] },
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
