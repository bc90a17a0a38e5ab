import { URL_TRANSPORTS } from '@/lib/wire/connection-settings';
import { PROTOCOL_CHOICES } from '@/lib/wire/lifecycle';
import {
  type CommandTable,
  commandNamed,
  GENERAL_OPTIONS,
  type Option,
  type Subcommand,
  subcommandsOf,
} from '@/proxy/cli/grammar';
import { HOSTS } from '@/proxy/servers/hosts';

/** Names that completion looks up on this machine. */
export interface KnownNames {
  /** Servers of hosts and kept ones: NAME and HOST/NAME. */
  servers(): Promise<readonly string[]>;
  /** Tools that recordings of a server list; without a server, those of any recording that was summarised. */
  tools(server: string | undefined): Promise<readonly string[]>;
}

/** Values of options that are the same everywhere. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  protocol: PROTOCOL_CHOICES,
  transport: URL_TRANSPORTS,
  mask: ['strict'],
};

/**
 * Returns what the last of these words may become. The words are those after `mcp-inspect`, up to the cursor. Nothing
 * is returned where files or the command of a server are expected.
 */
export async function candidatesFor(
  words: readonly string[],
  table: CommandTable,
  known: KnownNames,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return [];
  const { positional, pending, server } = sortWords(before, table);
  const all = pending
    ? await valuesOf(pending, known)
    : current.startsWith('-')
      ? optionsOf(commandOf(positional, table))
      : await wordsAfter(positional, server, table, known);
  // A name may come from a server or a config, and a shell would act on some characters.
  return [...new Set(all)].filter((word) => word.startsWith(current) && /^[\w./:@+=-]+$/.test(word));
}

interface SortedWords {
  readonly positional: readonly string[];
  /** The option whose value comes next. */
  readonly pending: Option | undefined;
  readonly server: string | undefined;
}

function sortWords(words: readonly string[], table: CommandTable): SortedWords {
  const options = [table.main, ...subcommandsOf(table)].flatMap((command) => command.options);
  const positional: string[] = [];
  let pending: Option | undefined;
  let server: string | undefined;
  for (const word of words) {
    const [, long, , inline] = /^--([a-z][a-z0-9-]*)(=(.*))?$/s.exec(word) ?? [];
    const short = /^-([a-zA-Z])$/.exec(word)?.[1];
    if (pending) {
      if (pending.name === 'server') server = word;
      pending = undefined;
    } else if (long !== undefined || short !== undefined) {
      const option = options.find((one) => one.name === long || (short !== undefined && one.short === short));
      if (option?.name === 'server') server = inline;
      pending = option?.value !== undefined && inline === undefined ? option : undefined;
    } else positional.push(word);
  }
  return { positional, pending, server };
}

/** Returns the command that these words select; undefined once the command of a server has begun. */
function commandOf(words: readonly string[], table: CommandTable): Subcommand | undefined {
  return words.length === 0 ? table.main : commandNamed(words, table);
}

function optionsOf(command: Subcommand | undefined): readonly string[] {
  return command ? [...command.options, ...GENERAL_OPTIONS].map(({ name }) => `--${name}`) : [];
}

async function valuesOf({ name, keys }: Option, known: KnownNames): Promise<readonly string[]> {
  if (keys) return keys.map((key) => (key.value === undefined ? key.name : `${key.name}=`));
  return name === 'server' ? known.servers() : (VALUES[name] ?? []);
}

async function wordsAfter(
  positional: readonly string[],
  server: string | undefined,
  table: CommandTable,
  known: KnownNames,
): Promise<readonly string[]> {
  const names = table.tasks.flatMap(({ commands }) => commands).map(({ name }) => name);
  if (positional.length === 0) return ['help', ...names];
  if (positional[0] === 'help')
    return positional.length === 1 ? [...names, ...table.topics.map(({ name }) => name)] : [];
  const command = commandOf(positional, table);
  if (!command || command.name === '') return [];
  const own = positional.length - command.name.split(' ').length;
  if (/^\[?HOST\b/.test(command.usage)) return own === 0 ? HOSTS.map(({ id }) => id) : known.servers();
  if (own > 0) return [];
  if (command.name === 'call') return known.tools(server);
  const verbs = (command.verbs ?? []).map(({ name }) => name.split(' ')[1]!);
  const [, choices = ''] = /^\[?([a-z]+(?:\|[a-z]+)*)\]?(?= |$)/.exec(command.usage) ?? [];
  return [...verbs, ...choices.split('|').filter(Boolean)];
}
