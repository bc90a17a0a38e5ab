import { docsUrl } from '@/lib/wire/docs-url';
import {
  type CommandTable,
  type Example,
  type Option,
  type Subcommand,
  subcommandsOf,
  type Topic,
  usageOf,
} from './grammar';

/** Exit codes of every command but `tap`, which ends like its server. */
const EXIT_CODES: readonly Example[] = [
  ['0', 'success'],
  ['1', 'a finding: an error or invalid result of the server, a difference, a problem, no match,'],
  ['', 'or a gate with nothing to compare'],
  ['2', 'invalid command line, also if it names a file, server or tool that does not exist'],
  ['3', 'nothing reached: the server did not start, refused or went away; no bucket'],
  ['5', 'no response in time'],
  ['70', 'mcp-inspect itself failed, or stdout is full'],
  ['128 + n', 'signal n: 130 for Ctrl-C; 141: the reader of stdout closed it'],
];

const SERVER = 'SERVER is -- command args…, a URL as the last word, --server NAME, or --demo.';

/** The options of the first screen, in their order. */
const FIRST_OPTIONS = ['env', 'header', 'auth', 'config', 'server', 'demo', 'protocol', 'port', 'record', 'watch'];

/** The text of `mcp-inspect --help`: one screen with every command, and the options that most people use. */
export function helpText({ main, tasks, topics }: CommandTable): string {
  const rows = tasks.flatMap(({ commands }) => commands).map(({ name, summary }): Example => [name, summary]);
  const options = FIRST_OPTIONS.map((name) => main.options.find((option) => option.name === name)!);
  const width = Math.max(...[...rows, ...options.map(optionRow)].map(([left]) => left.length));
  return [
    `Usage: mcp-inspect ${main.usage}`,
    main.summary,
    ...tasks.flatMap(({ heading, commands }) => [
      `${heading}:`,
      columns(
        commands.map(({ name, summary }) => [name, summary]),
        width,
      ),
    ]),
    'Options, always before the command that starts the server:',
    columns(options.map(optionRow), width),
    `More: mcp-inspect help COMMAND, or help ${topics.map(({ name }) => name).join(', ')}.`,
    '',
  ].join('\n');
}

/** The help of one subcommand, as printed by `mcp-inspect call --help`. */
export function commandHelp(command: Subcommand, { topics }: CommandTable): string {
  const { summary, server, options, examples, notes, docs, verbs = [] } = command;
  const own = options.filter(({ topic }) => topic === undefined);
  const shared = topics.filter(({ name }) => options.some(({ topic }) => topic === name));
  return [
    `Usage: mcp-inspect ${usageOf(command)}`,
    ...verbs.map((verb) => `       mcp-inspect ${usageOf(verb)}`),
    '',
    sentence(summary),
    ...(server === 'required' ? [SERVER] : []),
    ...(examples.length > 0 ? ['', 'Examples:', columns(commandLines(examples))] : []),
    ...(own.length > 0 ? ['', `Options${server ? ', before the --' : ''}:`, optionLines(own)] : []),
    ...(shared.length > 0 ? ['', columns(shared.map(({ name, summary: about }) => [`help ${name}`, about]))] : []),
    ...(notes ? ['', ...notes] : []),
    ...(docs === undefined ? [] : ['', docsUrl(docs)]),
    '',
  ].join('\n');
}

/** The help about something that several commands share, as printed by `mcp-inspect help connecting`. */
export function topicHelp({ name, summary, lines, examples, notes }: Topic, table: CommandTable): string {
  const all = [table.main, ...subcommandsOf(table)].flatMap(({ options }) => options);
  const options = [
    ...new Map(all.filter(({ topic }) => topic === name).map((option) => [option.name, option])).values(),
  ];
  return [
    sentence(summary),
    '',
    ...(lines ?? []),
    ...(examples ? ['Examples:', columns(commandLines(examples)), ''] : []),
    ...(options.length > 0 ? [optionLines(options)] : []),
    ...(notes ? ['', ...notes] : []),
    '',
  ].join('\n');
}

function sentence(summary: string): string {
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}.`;
}

/** A line for each option, and one for each of its keys. */
function optionLines(options: readonly Option[]): string {
  const rows = options.flatMap((option) => [
    optionRow(option),
    ...(option.keys ?? []).map(({ name, value, help }): Example => [`        ${keyed(name, value)}`, help]),
  ]);
  return columns(rows);
}

function optionRow({ name, short, value, help }: Option): Example {
  return [`${short ? `-${short}, ` : '    '}--${[name, value].filter(Boolean).join(' ')}`, help];
}

function keyed(name: string, value: string | undefined): string {
  return value === undefined ? name : `${name}=${value}`;
}

/** Begins each line with the name of the program, unless it has that elsewhere. */
function commandLines(examples: readonly Example[]): readonly Example[] {
  return examples.map(([line, purpose]) => [/\bmcp-inspect /.test(line) ? line : `mcp-inspect ${line}`, purpose]);
}

/** Two columns, the second aligned. */
function columns(rows: readonly Example[], width = Math.max(...rows.map(([left]) => left.length))): string {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** The text of `mcp-inspect help exit-codes`. */
export const EXIT_CODE_LINES: readonly string[] = columns(EXIT_CODES).split('\n');
