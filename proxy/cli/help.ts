import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import type { RecordingsWord } from './args';
import { OPTIONS, type Option } from './options';
import { FILE_SUBCOMMANDS, SUBCOMMANDS } from './subcommands';

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['mcp-inspect node server.js --flag', 'run this server and inspect it'],
  ['mcp-inspect npx -y some-mcp-server ~/notes', 'words after the command are the server’s'],
  ['mcp-inspect --env API_KEY=abc -- ./server', 'options of mcp-inspect come first; -- ends them'],
  ['mcp-inspect https://example.com/mcp', 'a server at a URL; --header sends it a token, say'],
  ['mcp-inspect --config .mcp.json --server files', 'one server of a config, in its environment'],
  ['mcp-inspect --config .mcp.json', 'all of them on the page; connect what you like'],
  ['mcp-inspect --protocol 2025-06-18 node s.js', 'speak one version, without probing'],
  ['mcp-inspect --demo', 'look around with the demo server'],
  ['mcp-inspect open session.mcpr.jsonl', 'the inspector as it was when this was recorded'],
  ['mcp-inspect recordings', 'list what was recorded'],
  ['mcp-inspect', 'an empty page: paste a command, URL or config'],
];

/** The text of `--help`: the grammar, examples that teach it, then every option. */
export function helpText(): string {
  const grammar = SUBCOMMANDS.map(({ name, words, help }) => [`mcp-inspect ${name} ${words}`, help] as const);
  return `Usage: mcp-inspect [options] [--] [command args… | url]

Reaches an MCP server, shows every byte between it and the client, and lets you call its tools.

Examples:
${columns(EXAMPLES)}

Without a page; SERVER is -- command args…, a URL, --config FILE --server NAME, or --demo:
${columns(grammar.map(([left, right]) => [`${left} SERVER`, right]))}
mcp-inspect call --help says more. A program with one of these names: mcp-inspect -- list

With recordings, NAME.mcpr.jsonl or NAME.mcpr.gz:
${columns(FILE_SUBCOMMANDS.map(({ name, words, help }) => [`mcp-inspect ${name} ${words}`, help]))}
mcp-inspect share --help says more.

Options, always before the command:
${columns(OPTIONS.map((option) => [label(option), option.help]))}

Protocol versions: ${PROTOCOL_VERSIONS.join(', ')}.
A command gets the environment of this shell (--clean-env: only what hosts pass on, and --env).
Servers from a config or from the page get what hosts pass on, and the variables named for them.
At a URL, the page can also talk to the server directly, where its CORS headers allow that.
Only this machine, with the link printed at the start, can open the page. Ctrl-C ends everything.
`;
}

/** An option as the help writes it. */
export function label(option: Option): string {
  return `${option.short ? `-${option.short}, ` : '    '}--${option.name}${option.value ? ` ${option.value}` : ''}`;
}

/** Two columns, the second aligned. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** What the help of each word says; the options of the page go with what opens one. */
const WORDS: Readonly<Record<RecordingsWord, RecordingsHelp>> = {
  open: {
    usage: 'open FILE…',
    does: `To open recordings, NAME.mcpr.jsonl or NAME.mcpr.gz, or HTTP Archives of MCP sessions, NAME.har: the whole
inspector as it was, and no server running.`,
    examples: [
      ['mcp-inspect open session.mcpr.jsonl', 'one, or what is left of it'],
      ['mcp-inspect open before.mcpr.gz after.mcpr.gz', 'two, which Compare… holds against each other'],
      ['mcp-inspect open --no-open session.har', 'print the link, and leave the browser alone'],
    ],
    options: ['port', 'host', 'no-open', 'keep'],
  },
  recordings: {
    usage: 'recordings',
    does: 'To list what was recorded: when, which server, how long, how many frames, how large, which were cut off.',
    examples: [['mcp-inspect recordings', 'then mcp-inspect open FILE shows one']],
    options: [],
  },
};

interface RecordingsHelp {
  readonly usage: string;
  readonly does: string;
  readonly examples: readonly (readonly [string, string])[];
  /** Names of those that make sense with it. */
  readonly options: readonly string[];
}

/** The text of `mcp-inspect open --help` and of `mcp-inspect recordings --help`. */
export function recordingsHelp(word: RecordingsWord): string {
  const { usage, does, examples, options } = WORDS[word];
  const known = OPTIONS.filter(({ name }) => options.includes(name));
  return `Usage: mcp-inspect ${usage}

${does}

Examples:
${columns(examples)}
${known.length > 0 ? `\nOptions, in any order:\n${columns(known.map((option) => [label(option), option.help]))}\n` : ''}
A program that is called like this word: mcp-inspect -- ${word}
`;
}
