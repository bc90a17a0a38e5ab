import { columns, label } from '../cli/help';
import { OPTIONS } from '../cli/options';
import { ownOptions, SUBCOMMAND_OPTIONS, SUBCOMMANDS, type SubcommandName } from '../cli/subcommands';

/** Each is about the subcommand that is its second word. */
const EXAMPLES: readonly (readonly [string, string])[] = [
  ['mcp-inspect list -- node server.js', 'everything it has, as tables'],
  ['mcp-inspect list tools --json -- node server.js', 'the exact result; a line for each page'],
  ['mcp-inspect call add --arg a=1 --arg b=2 -- node server.js', 'arguments typed by the tool’s schema'],
  ['mcp-inspect call add --args @args.json --demo', 'arguments from a file; - is stdin'],
  ['mcp-inspect read file:///x --config .mcp.json --server files', 'a server of a config'],
  ['mcp-inspect prompt review --arg code=x -- node server.js', 'a prompt’s messages'],
  ['mcp-inspect verify a.mcpr.jsonl -- node server.js', 'a recorded session again; exit code 1: it differs'],
  [`mcp-inspect raw '{"jsonrpc":"2.0","id":9,"method":"ping"}' …`, 'any message; what has an id is waited for'],
  ['mcp-inspect raw --no-handshake @initialize.json @call.json …', 'several in order, and nothing before them'],
];

const SERVER: readonly string[] = [
  'config',
  'server',
  'input',
  'demo',
  'protocol',
  'no-handshake',
  'transport',
  'header',
  'ca',
  'cert',
  'key',
  'key-passphrase-env',
  'insecure',
  'env',
  'clean-env',
  'cwd',
  'allow-link-local',
];

const CODES: readonly (readonly [string, string])[] = [
  ['0', 'fine'],
  ['1', 'the server said error, asked instead, or sent an invalid result; verify differs or compares nothing'],
  ['2', 'the command line makes no sense'],
  ['3', 'no connection: the server did not start, refused the handshake, or went'],
  ['5', 'no answer in time'],
  ['70', 'mcp-inspect itself failed; 128 + n after signal n'],
];

/** The text of `mcp-inspect call --help` and its like. */
export function subcommandHelp(name: SubcommandName): string {
  const row = SUBCOMMANDS.find((known) => known.name === name)!;
  const examples = EXAMPLES.filter(([line]) => line.split(' ')[1] === name);
  const general = SUBCOMMAND_OPTIONS.filter((option) => row.takesArguments || !ARGUMENTS.includes(option.name));
  const options = [...general, ...ownOptions(row), ...OPTIONS.filter((option) => SERVER.includes(option.name))];
  return `Usage: mcp-inspect ${[name, row.words, 'SERVER'].filter(Boolean).join(' ')}

To ${row.help}, without a page: the result on stdout, everything else on stderr.
SERVER is -- command args…, a URL, --config FILE --server NAME, or --demo.
${examples.length > 0 ? `\nExamples:\n${columns(examples)}\n` : ''}
Options, in any order, before the --:
${columns(options.map((option) => [label(option), option.help]))}
${row.takesArguments ? ABOUT_ARGUMENTS : ''}
Without --timeout a request may be silent for 60 seconds.${name === 'raw' ? ' The whole answering line is printed.' : ''}

Exit codes:
${columns(CODES)}

A program that is called like this word: mcp-inspect -- ${name}
`;
}

const ARGUMENTS: readonly string[] = ['arg', 'args'];

const ABOUT_ARGUMENTS = `
--arg k=v is a string where the schema allows one or says nothing, else JSON: --arg n=5, --arg tags='["a"]'.
--arg k:=v is JSON whatever the schema says. Prompt arguments are strings, but for k:=v.
--json alone asks for exact results: the text that the server sent, every digit of it, and nothing else on
stdout; a protocol error leaves stdout empty. Followed by {…}, @FILE or - it gives the arguments.
`;
