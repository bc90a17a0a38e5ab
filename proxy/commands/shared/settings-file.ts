import { dirname, resolve } from 'node:path';
import { SETTINGS_READERS } from '@/features/settings-readers';
import { parseBounded, withoutBom } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { docsUrl } from '@/lib/wire/docs-url';
import { closest } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import { SETTINGS_FILE } from '@/proxy/cli/options';
import { type FoundFile, foundFile } from '@/proxy/files/decisions';
import { repositoryRoot } from '@/proxy/files/repository-folders';
import { readNamedFile } from '@/proxy/files/user-files';

const SETTINGS_BYTES = 256 * 1024;
/** Most files that extend one another. */
const MOST_FILES = 5;

/** A file with settings, as it was found. */
export interface FoundSettings {
  readonly path: string;
  readonly text: string;
  /** Its content. */
  readonly value: unknown;
}

/**
 * Reads the settings of the working directory, or those of `--settings`, and the files that they extend: those of a
 * company, for example. What is extended comes first. Empty if there are no settings. Throws an ExitError, for faults
 * in what only `check` uses too, so that their author learns about them at the next command.
 */
export async function readSettingsFiles(named: string | undefined): Promise<readonly FoundSettings[]> {
  const files: FoundSettings[] = [];
  const within = named === undefined ? repositoryRoot(process.cwd()) : undefined;
  let next: string | undefined = resolve(named ?? SETTINGS_FILE);
  while (next !== undefined) {
    const path: string = next;
    if (files.some((file) => file.path === path))
      throw usageError(`\`${path}\` extends itself: remove its \`extends\`.`);
    if (files.length === MOST_FILES)
      throw usageError(`\`${path}\` is one file too many: at most ${MOST_FILES} extend one another.`);
    const { text, wrong } = await readNamedFile(path, { most: SETTINGS_BYTES, within });
    if (wrong !== undefined) throw usageError(`\`${path}\` can’t be used as settings. ${wrong}`);
    const after = files.at(-1);
    if (text === undefined && after) throw usageError(`\`${path}\` was not found. \`${after.path}\` extends it.`);
    if (text === undefined && named !== undefined)
      throw usageError(`\`${named}\` was not found. Check the path after \`--settings\`.`);
    if (text === undefined) return [];
    const value = parsed(text);
    const file = { path, text, value };
    for (const { read } of SETTINGS_READERS) readFoundSettings(file, read);
    files.push(file);
    const extended = extendedBy(file);
    next = extended === undefined ? undefined : resolve(dirname(path), extended);
  }
  return files.reverse();
}

/** Returns the files as one, to whose content a person agrees. There is at least one. */
export function foundSettings(files: readonly FoundSettings[]): FoundFile {
  return foundFile(files.at(-1)!.path, files.map(({ path, text }) => `${path}\n${text}`).join('\n'));
}

function parsed(text: string): unknown {
  try {
    return parseBounded(withoutBom(text));
  } catch {
    return undefined;
  }
}

/** Returns the settings that `read` finds in a file. Throws an ExitError if it returns a fault. */
export function readFoundSettings<T extends object>(
  { path, value }: Pick<FoundSettings, 'path' | 'value'>,
  read: (value: unknown, near: typeof closest) => T | string,
): T {
  const settings = read(value, closest);
  if (typeof settings !== 'string') return settings;
  throw usageError(
    `\`${path}\` can’t be used as settings: ${settings.replace(/[.?]$/, '')}. ${docsUrl('check')} has an example.`,
  );
}

/** Returns the file that settings extend. */
function extendedBy({ path, value }: Pick<FoundSettings, 'path' | 'value'>): string | undefined {
  const extended = isObject(value) ? own(value, 'extends') : undefined;
  if (extended === undefined || (typeof extended === 'string' && extended !== '')) return extended;
  throw usageError(`\`${path}\` can’t be used as settings: \`extends\` is not the path of a file.`);
}
