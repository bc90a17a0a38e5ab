import { resolve } from 'node:path';
import { SETTINGS_READERS } from '@/features/settings-readers';
import { isObject, own } from '@/lib/json/value';
import { TEAM_OPTIONS } from '@/lib/wire/team-options';
import { suggestion } from '@/proxy/cli/closest';
import { ExitError, usageError } from '@/proxy/cli/exit-code';
import { type CommandLine, type CommandTable, lastValue, parseCommandLine } from '@/proxy/cli/grammar';
import { foundFile, keptDecisions } from '@/proxy/files/decisions';
import { repositoryRoot } from '@/proxy/files/repository-folders';
import { readNamedFile } from '@/proxy/files/user-files';
import { allowOnly, atTerminal, mayUse } from './consent';
import { isCopied } from './recording-files';
import { type FoundSettings, foundSettings, readFoundSettings, readSettingsFiles } from './settings-file';

/** Most bytes of a pins file. */
const PINS_BYTES = 64 * 1024 * 1024;

type RunLine = Extract<CommandLine, { readonly kind: 'run' }>;

/**
 * Adds the options of the team’s settings that the command takes and that the command line does not give. Those in a
 * file that nobody named are used only if a person agrees, to all of them. Throws an ExitError for options that can’t
 * be used.
 */
export async function withTeamOptions(
  argv: readonly string[],
  line: RunLine,
  table: CommandTable,
  asking = atTerminal(),
  store = keptDecisions(),
): Promise<RunLine> {
  const { given } = line.request;
  const named = lastValue(given, 'settings');
  const files = await readSettingsFiles(named);
  const words = files.flatMap(wordsOf);
  const usable = words.filter(({ name, key }) => {
    const option = line.command.options.find((known) => known.name === name);
    const takes = key === undefined ? option : option?.keys?.some((known) => known.name === key);
    return takes && !given.has(key === undefined ? name : `${name}.${key}`);
  });
  if (usable.length === 0) return line;
  if (named === undefined && !(await mayUseSettings(files, asking, store, given.has('pins')))) return line;
  try {
    return parseCommandLine([...usable.map((word) => shown(word).replace(' ', '=')), ...argv], table) as RunLine;
  } catch (error) {
    throw error instanceof ExitError ? usageError(`\`${files.at(-1)!.path}\` can’t be used: ${error.message}`) : error;
  }
}

interface Word {
  readonly name: string;
  readonly key?: string;
  readonly value: string;
}

/**
 * Asks whether settings that nobody named may set options and hide problems. A person agrees to all of them at once,
 * and to the calls of the pins file of the project that they name, which alone may be used then. `isPinsNamed`: the
 * command line names one, so that they don’t count.
 */
export async function mayUseSettings(
  files: readonly FoundSettings[],
  asking = atTerminal(),
  store = keptDecisions(),
  isPinsNamed = false,
): Promise<boolean> {
  const words = files.flatMap(wordsOf);
  const hidden = files.flatMap((file) =>
    SETTINGS_READERS.flatMap(({ read, hiddenBy }) => hiddenBy(readFoundSettings(file, read))),
  );
  const settings = foundSettings(files);
  const pins = words.findLast(({ name }) => name === 'pins')?.value;
  const within = repositoryRoot(process.cwd());
  const all = [...words.map(shown), ...hidden];
  if (pins === undefined) return mayUse('settings', settings, all, asking, store);
  const path = resolve(pins);
  const { text = '', wrong } = await readNamedFile(path, { most: PINS_BYTES, within });
  if (wrong !== undefined || isCopied(pins))
    throw usageError(`\`${pins}\` can’t be used as pins of settings. ${wrong ?? 'Name a file of the project.'}`);
  const found = { ...settings, digest: foundFile(settings.digest, text).digest };
  if (!(await mayUse('settings', found, all, asking, store))) return false;
  if (!isPinsNamed) allowOnly(path, text);
  return true;
}

function shown({ name, key, value }: Word): string {
  return `--${name} ${key === undefined ? '' : `${key}=`}${value}`;
}

/** Returns an option of the command line for each value: a text, or an object with keys and one or several texts. */
function wordsOf({ path, value: settings }: FoundSettings): readonly Word[] {
  const options = isObject(settings) ? (own(settings, 'options') ?? {}) : {};
  const wrong = (what: string): ExitError => usageError(`\`${path}\` can’t be used: ${what}`);
  if (!isObject(options)) throw wrong('`options` is not an object.');
  return Object.entries(options).flatMap(([name, value]): readonly Word[] => {
    if (!Object.hasOwn(TEAM_OPTIONS, name)) {
      throw usageError(
        `\`${path}\` can’t set \`${name.slice(0, 60)}\`: \`options\` may have ${Object.keys(TEAM_OPTIONS).join(', ')}.`,
      );
    }
    const keys = TEAM_KEYS[name];
    if (keys === undefined && typeof value === 'string') return [{ name, value }];
    if (keys === undefined || !isObject(value)) throw wrong(`\`${name}\` is not ${keys ? 'an object' : 'a text'}.`);
    return Object.entries(value).flatMap(([key, parts]) => {
      if (!keys.includes(key)) throw wrong(`\`${name}\` has no \`${key.slice(0, 60)}\`: ${suggestion(key, keys)}`);
      const values: readonly unknown[] = Array.isArray(parts) ? parts : [parts];
      return values.map((part) => {
        if (typeof part === 'string') return { name, key, value: part };
        throw wrong(`\`${name}.${key}\` is not a text.`);
      });
    });
  });
}

/** The keys of options that have some. */
const TEAM_KEYS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(TEAM_OPTIONS).flatMap(([name, schema]) =>
    'properties' in schema ? [[name, Object.keys(schema.properties)]] : [],
  ),
);
