import { TEAM_OPTIONS } from '@/lib/check/check-settings';
import { parseBounded } from '@/lib/json/parse';
import { isObject, isText, own } from '@/lib/json/value';
import { ExitError, usageError } from '@/proxy/cli/exit-code';
import { type CommandLine, type CommandTable, isGiven, lastValue, parseCommandLine } from '@/proxy/cli/grammar';
import { sha256Of } from '@/proxy/files/native-codecs';
import { type Asking, terminalQuestions } from './ask-inputs';
import { keptDecisions, mayUse } from './project-config';
import { readSettingsFiles, type SettingsFile } from './settings-file';

/** Options that send something to an address of the file. */
const SENDS: ReadonlySet<string> = new Set(['from', 'otlp', 's3', 'to']);

type RunLine = Extract<CommandLine, { readonly kind: 'run' }>;

/**
 * Adds the options of the team’s settings that the command takes and that the command line does not give. Addresses in
 * a file that nobody named are used only if a person agrees. Throws an ExitError for options that can’t be used.
 */
export async function withTeamOptions(
  argv: readonly string[],
  line: RunLine,
  table: CommandTable,
  asking: Asking = { ask: terminalQuestions(), printNote: (text) => void process.stderr.write(`${text}\n`) },
  store = keptDecisions(),
): Promise<RunLine> {
  const { given } = line.request;
  const named = lastValue(given, 'settings');
  const files = await readSettingsFiles(named);
  const words = files.flatMap(wordsOf);
  const takes = (name: string): boolean => line.command.options.some((option) => option.name === name);
  const usable = words.filter(({ name }) => takes(name) && !isGiven(given, name));
  const sends = usable.filter(({ name }) => SENDS.has(name));
  const isAgreed =
    named !== undefined ||
    sends.length === 0 ||
    (await mayUse(consented(files), ADDRESSES, sends.map(shown), asking, store));
  const used = usable.filter(({ name }) => isAgreed || !SENDS.has(name)).map(({ name, value }) => `--${name}=${value}`);
  if (used.length === 0) return line;
  try {
    return parseCommandLine([...used, ...argv], table) as RunLine;
  } catch (error) {
    throw error instanceof ExitError ? usageError(`\`${files.at(-1)!.path}\` can’t be used: ${error.message}`) : error;
  }
}

/** The question to a person about addresses in the file. */
const ADDRESSES = {
  intro: 'sends to these addresses:',
  question: 'Do you trust this project, and want to send to them? (y/N) ',
  option: '--settings',
} as const;

interface Word {
  readonly name: string;
  readonly value: string;
}

function shown({ name, value }: Word): string {
  return `--${name} ${value}`;
}

/** The files as one, whose content a person agrees to. */
function consented(files: readonly SettingsFile[]) {
  const { path } = files.at(-1)!;
  return { path, digest: sha256Of(Buffer.from(files.map((file) => `${file.path}\n${file.text}`).join('\n'))) };
}

/** Returns an option of the command line for each value: a text, a list of texts, or an object with keys and texts. */
function wordsOf({ path, text }: SettingsFile): readonly Word[] {
  let parsed: unknown;
  try {
    parsed = parseBounded(text);
  } catch {
    // The command that reads the rest of it says so.
  }
  const options = isObject(parsed) ? (own(parsed, 'options') ?? {}) : {};
  if (!isObject(options)) throw usageError(`\`${path}\` can’t be used: \`options\` is not an object.`);
  return Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(TEAM_OPTIONS, name)) {
      throw usageError(
        `\`${path}\` can’t set \`${name.slice(0, 60)}\`: \`options\` may have ${Object.keys(TEAM_OPTIONS).join(', ')}.`,
      );
    }
    const values: readonly unknown[] = Array.isArray(value)
      ? value
      : isObject(value)
        ? Object.entries(value).map(([key, part]) => (isText(part) ? `${key}=${part}` : part))
        : [value];
    if (!values.every(isText)) throw usageError(`\`${path}\` can’t be used: \`${name}\` is not a text.`);
    return values.map((one) => ({ name, value: one as string }));
  });
}
