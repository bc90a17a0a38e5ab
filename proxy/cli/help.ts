import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { type Command, type CommandTable, type Example, GENERAL_OPTIONS, type Option, usageOf } from './grammar';

/** Exit codes of subcommands that ask a server, and of `diff`. */
const EXIT_CODES: readonly Example[] = [
  ['0', 'success'],
  ['1', 'an error, question or invalid result from the server; verify: different, or not comparable'],
  ['2', 'invalid command line'],
  ['3', 'no connection: the server did not start, refused the handshake, or went away'],
  ['5', 'no response in time'],
  ['70', 'mcp-inspect itself failed, or stdout is full; 128 + n after signal n; 141: stdout was closed'],
];

const SERVER = 'SERVER is -- command args…, a URL, --server NAME, or --demo.';

/** The text of `mcp-inspect --help`: the grammar, examples, the subcommands by task, then the options. */
export function helpText({ main, tasks }: CommandTable): string {
  const commands = tasks.flatMap((task) => task.commands);
  const width = Math.max(...commands.map((command) => usageOf(command).length));
  return [
    `Usage: mcp-inspect ${main.usage}`,
    '       mcp-inspect SUBCOMMAND …',
    '',
    main.summary,
    '',
    'Examples:',
    columns(main.examples),
    ...tasks.flatMap((task) => [
      '',
      `${task.heading}:`,
      columns(
        task.commands.map((command) => [usageOf(command), command.summary]),
        width,
      ),
    ]),
    '',
    SERVER,
    'Details of a subcommand: mcp-inspect help call',
    'To start a program that is named like a subcommand, write -- before it: mcp-inspect -- list',
    '',
    'Options, always before the command:',
    optionLines([...main.options, ...GENERAL_OPTIONS]),
    '',
    ...(main.notes ?? []),
    `Protocol versions: ${PROTOCOL_VERSIONS.join(', ')}.`,
    '',
  ].join('\n');
}

/** The help of one subcommand, as printed by `mcp-inspect call --help`. */
export function commandHelp(command: Command): string {
  const { name, summary, server, options, examples, notes } = command;
  return [
    `Usage: mcp-inspect ${usageOf(command)}`,
    '',
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    ...(server === 'required' ? [SERVER, 'The result goes to stdout, everything else to stderr.'] : []),
    ...(examples.length > 0 ? ['', 'Examples:', columns(examples)] : []),
    '',
    `Options, in any order${server ? ', before the --' : ''}:`,
    optionLines([...options, ...GENERAL_OPTIONS]),
    ...(notes ? ['', ...notes] : []),
    ...(server === 'required' ? ['', 'Exit codes:', columns(EXIT_CODES)] : []),
    '',
    `To start a program named ${name}, write -- before it: mcp-inspect -- ${name}`,
    '',
  ].join('\n');
}

function optionLines(options: readonly Option[]): string {
  return columns(
    options.map(({ name, short, value, orValueOf, help }) => [
      `${short ? `-${short}, ` : '    '}--${[name, value ?? orValueOf?.shown].filter(Boolean).join(' ')}`,
      help,
    ]),
  );
}

/** Two columns, the second aligned. */
function columns(rows: readonly Example[], width = Math.max(...rows.map(([left]) => left.length))): string {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
