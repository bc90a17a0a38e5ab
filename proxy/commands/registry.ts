import type { CommandGroup } from '@/features/feature';
import { FEATURES } from '@/features/features';
import { RECORDING_STORES, UPLOADS } from '@/features/recording-stores';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import type { CommandTable, Subcommand } from '@/proxy/cli/grammar';
import { EXIT_CODE_LINES } from '@/proxy/cli/help';
import { about, PAGE_OPTIONS, SERVER_OPTIONS, WATCH_OPTIONS } from '@/proxy/cli/options';
import { RENAMED, RESERVED } from './renamed';
import { FAULTS } from './table/find-faults';
import { completion, MACHINE } from './table/on-machine';
import { OPENED, USED } from './table/recordings';
import { USE } from './table/use-server';

/**
 * Every subcommand by task, in the order of the help. Each has a row here and a file that exports `run`, which is
 * loaded only to run it. Rows are not in these files, because a plain `--help` would then load them all.
 */
export const COMMANDS: CommandTable = {
  main: {
    name: '',
    summary: 'Opens the page: every byte between client and server, forms for every tool, recordings to send.',
    usage: '[options] [--] [COMMAND [ARGS…] | URL]',
    words: [0, 0],
    server: 'optional',
    options: [...SERVER_OPTIONS, ...about('page', [...WATCH_OPTIONS, ...PAGE_OPTIONS]), ...(UPLOADS?.ofPage ?? [])],
    examples: [],
    load: () => import('./inspect/inspect'),
  },
  tasks: withCommands([
    { heading: 'Use a server', commands: [...USE, ...ofFeatures('server')] },
    { heading: 'Find out what is wrong', commands: [...FAULTS, ...ofFeatures('faults')] },
    { heading: 'Use it with a model', commands: ofFeatures('model') },
    {
      heading: 'Hosts and this machine',
      commands: [...ofFeatures('machine'), ...MACHINE, completion(() => COMMANDS)],
    },
    {
      heading: 'Recordings',
      commands: [...ofFeatures('lists'), ...OPENED, ...ofFeatures('reports'), ...USED],
    },
  ]),
  topics: [
    {
      name: 'page',
      summary: 'the page: where it is served, what it records',
      examples: [
        ['node server.js --flag', 'run this server and inspect it'],
        ['uv run server.py', 'a server in Python'],
        ['npx -y some-mcp-server ~/notes', 'words after the command belong to the server'],
        ['--env API_KEY=abc -- ./server', 'options of mcp-inspect come first; -- ends them'],
        ['https://example.com/mcp', 'a server at a URL; --header can send it a token'],
        ['--server files', 'a server in the config of Claude, Cursor, VS Code …'],
        ['--config .mcp.json', 'all servers of a config; connect to them on the page'],
        ['--protocol 2025-06-18 node s.js', 'use one version, without probing'],
        ['--watch -- node server.js', 'restart it at each save, and show what changed'],
        ['--demo', 'look around with the demo server'],
        ['', 'an empty page: paste a command, URL or config'],
      ],
      notes: [
        'Your command gets this shell’s environment; with --env minimal, a minimal one as MCP hosts give it.',
        'Servers from a config or the page get the minimal one, and the variables set for them.',
        'The page can also connect to a URL directly, if the server’s CORS headers allow it.',
        'By default, only this machine can open the page, by the printed link. Ctrl-C ends everything.',
      ],
    },
    {
      name: 'connecting',
      summary: 'the server: how to start it, reach it and sign in, and who the client is',
      lines: [
        'SERVER is one of:',
        '  -- COMMAND [ARGS…]  a program to start; everything after it belongs to it',
        '  URL                 http or https, as the last word',
        '  --server NAME       a server of --config, or of a host on this machine',
        '  --demo              the bundled demo server',
        'To start a program that is named like a command, write -- before it: mcp-inspect -- list',
        '',
      ],
      notes: [`Protocol versions: ${PROTOCOL_VERSIONS.join(', ')}.`],
    },
    ...RECORDING_STORES.map(({ topic }) => topic),
    {
      name: 'exit-codes',
      summary: 'exit codes of all commands but `tap`, which ends like its server',
      lines: EXIT_CODE_LINES,
    },
  ],
  renamed: RENAMED,
  reserved: RESERVED,
};

/** Leaves out tasks that have no command. */
function withCommands<T extends { readonly commands: readonly Subcommand[] }>(tasks: readonly T[]): readonly T[] {
  return tasks.filter(({ commands }) => commands.length > 0);
}

function ofFeatures(task: CommandGroup): readonly Subcommand[] {
  return FEATURES.flatMap(({ commands }) => commands?.[task] ?? []);
}
