import type { CommandTable, Subcommand } from '@/proxy/cli/grammar';

export const MACHINE: readonly Subcommand[] = [
  {
    name: 'auth',
    summary: 'list or delete kept sign-ins',
    usage: '[list]',
    words: [0, 1],
    options: [{ name: 'json', help: 'print a JSON array, without tokens' }],
    examples: [
      ['auth', 'servers, issuers and scopes'],
      ['auth logout https://host/mcp', 'sign in again next time'],
    ],
    notes: ['A sign-in is kept only with `--auth keep`, or by *Keep for later runs* on the page.'],
    verbs: [
      {
        name: 'auth logout',
        summary: 'delete kept sign-ins of these servers',
        usage: 'URL…|--all',
        words: [0, Number.POSITIVE_INFINITY],
        options: [
          { name: 'all', help: 'of all servers' },
          { name: 'json', help: 'print their URLs as one line of JSON' },
        ],
        examples: [['auth logout --all', 'forget every token on this machine']],
        notes: ['The authorization servers still accept the tokens until they expire.'],
        load: () => import('../auth'),
      },
    ],
    load: () => import('../auth'),
  },
];

/** The command that completes words. `commands`: all, this one too. */
export const completion = (commands: () => CommandTable): Subcommand => ({
  name: 'completion',
  summary: 'print the completion script of a shell',
  usage: 'bash|zsh|fish',
  words: [1, Number.POSITIVE_INFINITY],
  options: [],
  examples: [
    ['source <(mcp-inspect completion bash)', 'for this shell'],
    ['completion fish | source', 'the same in fish'],
  ],
  notes: [
    'It completes commands, options, their keys, servers after --server, and tools that recordings list.',
    'The script asks `mcp-inspect completion words -- WORDS…`. The first lines of it say where to put it.',
  ],
  load: async () => ({ run: (await import('../completion/completion')).completionOf(commands()) }),
});
