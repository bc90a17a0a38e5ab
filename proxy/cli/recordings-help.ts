import type { RecordingsWord } from './args';
import { columns, label } from './help';
import { OPTIONS } from './options';

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
