import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { countOf } from '@/lib/wire/format';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue } from '@/proxy/cli/grammar';
import { writePageFiles } from '@/proxy/files/page-files';
import { writeErrorReason } from '@/proxy/files/private-files';
import type { OpenedAtStart } from './inspect/inspect';
import { fileAccess } from './shared/file-access';
import { recordingFiles, requireOneStdin, storeOf } from './shared/recording-files';

/** Recordings that the page opens at once. Each is an entry with a log of its own. */
const MOST_OPENED = 50;

/** Opens recordings in the page, or writes the page to a folder. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { words, given } = context.request;
  const folder = lastValue(given, 'write');
  if (folder !== undefined) {
    if (words.length > 0) throw usageError('`--write` writes the page without recordings: remove the files.');
    return writePage(folder, context);
  }
  if (words.length === 0)
    throw usageError('`open` needs recordings: write `mcp-inspect open FILE…`, or `--write FOLDER`.');
  const { run: inspect } = await import('./inspect/inspect');
  return inspect(context, await openingOf(words, context));
}

/** Returns what the page opens: files, recordings in stores, and an address whose recordings it lists. */
export async function openingOf(
  words: readonly string[],
  context: Pick<CommandContext, 'version' | 'request'>,
): Promise<OpenedAtStart> {
  requireOneStdin(words);
  const listed: string[] = [];
  const files: { shown: string; path?: string }[] = [];
  for (const word of words) {
    const reader = await storeOf(word)?.load();
    if (reader && !reader.namesFile(word)) listed.push(word);
    else if (reader?.namesRecording(word)) files.push({ shown: word });
    else files.push(...(await recordingFiles([word], fileAccess(context))));
  }
  if (listed.length > 1) throw usageError('The page lists one bucket or prefix: name only one of them.');
  if (files.length > MOST_OPENED) {
    throw usageError(
      `There are ${files.length} recordings, but the page opens ${MOST_OPENED} at once: name some of them.`,
    );
  }
  return { files, ...(listed[0] !== undefined && { from: listed[0] }) };
}

/** Writes the page, as the static files that any web server can serve, to a new or empty folder. */
async function writePage(folder: string, { home, printNote }: CommandContext): Promise<ExitCode> {
  const licenses = join(home, '../THIRD-PARTY-LICENSES.txt');
  if (!existsSync(licenses)) {
    throw usageError(`\`${licenses}\` is missing, which belongs to the page: install mcp-inspect again, or build it.`);
  }
  try {
    const files = await writePageFiles(join(home, 'ui'), resolve(folder), licenses);
    printNote(`Wrote the page, ${countOf(files, 'file')}, to ${folder}. Serve it at the root of a host.`);
    return EXIT.fine;
  } catch (error) {
    throw usageError(`The page can’t be written to \`${folder}\`: ${writeErrorReason(error)}. Choose another folder.`);
  }
}
