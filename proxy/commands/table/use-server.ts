import { FEATURES } from '@/features/features';
import type { Subcommand } from '@/proxy/cli/grammar';
import {
  ARGUMENT_OPTIONS,
  CLIENT_OPTIONS,
  REPEAT_OPTIONS,
  RESULT_OPTIONS,
  SERVER_OPTIONS,
  TASK_OPTIONS,
  TIMEOUT_NOTE,
} from '@/proxy/cli/options';

const ARGUMENT_NOTES: readonly string[] = [
  'K=V is a string where the schema allows one or says nothing, else JSON: n=5. K:=JSON is always JSON.',
  'Prompt arguments are strings, except with K:=JSON. --arg K=V is the same as the word K=V.',
  '--json prints the text that the server sent, to the last digit; nothing after a protocol error.',
];

/** Lists of features, and other words that they read. */
const LISTS = FEATURES.flatMap(({ lists = [] }) => lists);
const READS = FEATURES.flatMap(({ reads = [] }) => reads);

export const USE: readonly Subcommand[] = [
  {
    name: 'list',
    summary: 'list what the server has',
    usage: `[tools|resources|templates|prompts${LISTS.map(({ name }) => `|${name}`).join('')}]`,
    words: [0, 1],
    server: 'required',
    options: [
      { name: 'follow', help: 'print what the server reports by itself, until Ctrl-C' },
      { name: 'fields', help: 'for tools: the fields of their forms, and what is only editable as JSON' },
      { name: 'by-capability', help: 'compare the lists without each of --capabilities (default: all)' },
      { name: 'all', help: 'list every server of --config' },
      { name: 'jobs', value: 'N', help: 'with --all, N servers at a time (default 2)' },
      ...RESULT_OPTIONS,
      ...CLIENT_OPTIONS,
      ...SERVER_OPTIONS,
    ],
    examples: [
      ['list -- node server.js', 'everything it has, as tables'],
      ['list tools --config .mcp.json --all', 'the tools of every server of a config'],
      ['list tools --json -- node server.js', 'the exact result; a line for each page'],
      ['list tools --capabilities all --demo', 'also tools that need client capabilities'],
      ['list tools --follow -- node server.js', 'a line of JSON for each change of the tools'],
      ['list --by-capability -- node server.js', 'what is missing without each capability'],
    ],
    notes: [
      LISTS.map(({ note }) => note).join(' '),
      'Exit code 1: an invalid list, or an entry that a host refuses.',
      TIMEOUT_NOTE,
    ],
    load: () => import('../list/list'),
  },
  {
    name: 'call',
    summary: 'call a tool',
    usage: 'TOOL [K=V …]',
    words: [1, 1],
    server: 'required',
    argumentWords: true,
    options: [
      ...ARGUMENT_OPTIONS,
      ...TASK_OPTIONS,
      ...REPEAT_OPTIONS,
      { name: 'strict', help: 'exit code 1 if the result breaks a rule that `check` calls an error' },
      ...CLIENT_OPTIONS,
      ...SERVER_OPTIONS,
    ],
    examples: [
      ['call add a=1 b=2 -- node server.js', 'arguments typed by the tool’s schema'],
      ['call add --args @args.json -- node server.js', 'arguments from a file; - is stdin'],
      ['call ask --answers a.json -- node server.js', 'answer what the server asks'],
      ['call build --task auto -- node server.js', 'as a task; its status is on stderr'],
      ['call add --args @args.json --times 100 --demo', 'durations, and results that differ'],
    ],
    notes: [
      ...ARGUMENT_NOTES,
      'A tool that the server does not list is not called.',
      'A result that does not match the tool’s outputSchema is printed, with exit code 1.',
      'Broken rules that `check` calls an error are on stderr; with --strict, they end it with exit code 1.',
      'With --times, stderr sums up outcomes, durations and different results; outputSchema is not checked.',
      TIMEOUT_NOTE,
    ],
    load: () => import('../call/call'),
  },
  {
    name: 'read',
    summary: ['read a resource', ...READS.map(({ what }) => what)].join(' or '),
    usage: ['URI', ...READS.map(({ usage }) => usage), 'directory:URI'].join('|'),
    words: [1, 1],
    server: 'required',
    options: [
      { name: 'follow', help: 'subscribe, and print it again on each change until Ctrl-C' },
      { name: 'complete', value: 'NAME=PREFIX', help: 'print completions of a variable of the template URI' },
      ...ARGUMENT_OPTIONS,
      ...CLIENT_OPTIONS,
      ...SERVER_OPTIONS,
    ],
    examples: [
      ['read file:///x --server files', 'from a server in a host’s config'],
      ['read log://today --follow -- node server.js', 'again on each change'],
      ['read directory:skill://a -- node server.js', 'what is in a directory of skills'],
      ...READS.flatMap(({ examples }) => examples),
      ['read db://{t}/{row} --complete row=4 --demo', 'values of row; --arg t=users helps'],
    ],
    notes: [
      ...READS.flatMap(({ notes }) => notes),
      '--arg and --args are for --complete: the values of other variables.',
      TIMEOUT_NOTE,
    ],
    load: () => import('../read/read'),
  },
  {
    name: 'prompt',
    summary: 'get a prompt',
    usage: 'NAME [K=V …]',
    words: [1, 1],
    server: 'required',
    argumentWords: true,
    options: [
      { name: 'complete', value: 'NAME=PREFIX', help: 'print completions of this argument instead' },
      ...ARGUMENT_OPTIONS,
      ...CLIENT_OPTIONS,
      ...SERVER_OPTIONS,
    ],
    examples: [
      ['prompt review code=x -- node server.js', 'the messages of a prompt'],
      ['prompt review --complete language=py -- node server.js', 'values that start with py'],
    ],
    notes: [...ARGUMENT_NOTES, TIMEOUT_NOTE],
    load: () => import('../prompt'),
  },
  {
    name: 'tasks',
    summary: 'list the tasks of a server, or follow one',
    usage: 'list|get|result|cancel [ID]',
    words: [1, 2],
    server: 'required',
    options: [...RESULT_OPTIONS, ...CLIENT_OPTIONS, ...SERVER_OPTIONS],
    examples: [
      ['tasks list https://example.com/mcp', 'tasks that the server keeps (2025-11-25)'],
      ['tasks result TASK-ID https://example.com/mcp', 'waits for its end, and prints its result'],
    ],
    notes: ['`call TOOL --task auto` starts a task, and follows it.', TIMEOUT_NOTE],
    load: () => import('../tasks'),
  },
  {
    name: 'raw',
    summary: 'send messages exactly as given',
    usage: "'TEXT' …",
    words: [1, 100],
    server: 'required',
    options: [...RESULT_OPTIONS, ...CLIENT_OPTIONS, ...SERVER_OPTIONS],
    examples: [
      [`mcp-inspect raw '{"jsonrpc":"2.0","id":9,"method":"ping"}' --demo`, 'waits for the response'],
      ['raw --protocol none @initialize.json @call.json --demo', 'two messages, no handshake'],
    ],
    notes: [
      TIMEOUT_NOTE,
      'raw prints the whole line of each response. TEXT may be anything; @FILE and - (stdin) are read.',
      'After text that is not a message, raw waits one second for an error without an id.',
    ],
    load: () => import('../raw'),
  },
];
