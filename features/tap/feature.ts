import { ruleFiles } from '@/features/intercept/rule-files';
import { ENTRY_OPTIONS } from '@/features/tap/proxy/command/entry-options';
import type { Option, OptionKey } from '@/proxy/cli/grammar';
import { otelOption, SERVER_OPTIONS, UPLOAD_OPTIONS } from '@/proxy/cli/options';
import type { Feature } from '../feature';

/** Options about servers that a tap of a URL has. The host sends all headers. */
const HTTP_TAP_OPTIONS: ReadonlySet<string> = new Set(['tls', 'allow-link-local']);

/** The keys of `--rotate`. */
const ROTATE_KEYS: readonly OptionKey[] = [
  { name: 'size', value: 'SIZE', help: 'after this size (default 64MB)' },
  { name: 'age', value: 'AGE', help: 'after this age (default 1d)' },
];

/** Chooses servers of a host. */
const ALL_SERVERS: Option = { name: 'all', help: 'all servers in the configs of the host' };

/** Servers of hosts, and what passes between the two. */
export const tap: Feature = {
  name: 'tap',
  commands: {
    machine: [
      {
        name: 'servers',
        summary: 'list the servers of hosts, and taps',
        usage: '[HOST]',
        words: [0, 1],
        options: [
          { name: 'config', value: 'FILE', help: 'those in this file, in the format of any host' },
          { name: 'json', help: 'print a JSON array' },
        ],
        examples: [
          ['servers', 'those of Claude, Cursor, VS Code and others'],
          ['servers cursor', 'those of one host, and its running taps'],
          ['list --server claude-desktop/files', 'connect to one: --server NAME or HOST/NAME'],
        ],
        notes: [
          'It only reads: it starts no server. Values of variables and headers are never printed.',
          'TAP is no, yes, running, or broken: the entry starts a tap, but a file of the tap is gone.',
        ],
        docs: 'configs',
        load: () => import('./proxy/command/servers'),
      },
      {
        name: 'tap',
        summary: 'pass and record the traffic of a host',
        usage: '-- COMMAND [ARGS…] | --http URL',
        words: [0, 0],
        server: 'optional',
        options: [
          { name: 'host', value: 'HOST', help: 'name of the host that starts it' },
          { name: 'name', value: 'NAME', help: 'name of the server (default: made from the command)' },
          otelOption('on', 'export'),
          {
            name: 'rotate',
            value: 'KEY=VALUE',
            help: 'when to begin another recording; repeatable',
            keys: ROTATE_KEYS,
          },
          ruleFiles.option,
          { name: 'record', value: 'off', help: 'pass bytes only; the page does not show this session' },
          { name: 'http', value: 'URL', help: 'run a reverse proxy to the server at this URL, and print its URL' },
          { name: 'port', value: 'NUMBER', help: 'with --http: listen on this port (default: any free one)' },
          {
            name: 'listen',
            value: 'ADDRESS[,NAME…]',
            help: 'with --http: listen on ADDRESS; names that hosts may use for it',
          },
          ...UPLOAD_OPTIONS,
          ...SERVER_OPTIONS.filter(({ name }) => HTTP_TAP_OPTIONS.has(name)),
        ],
        examples: [
          ['tap -- node server.js', 'for a host’s config'],
          ['tap --http https://example.com/mcp --port 6280', 'a server at a URL'],
          ['tap --host cursor --name files -- npx -y some-server', 'with names for the page'],
          ['tap --intercept faults.json -- node server.js', 'with fault rules'],
        ],
        notes: [
          'Without rules, bytes pass both ways unchanged. So do stderr, signals, exit code and ends of streams.',
          'Each session is a recording, with its secrets masked. Start `mcp-inspect` to see all sessions live.',
          'With --http, put the printed URL into the host. The page below lists what does not work.',
        ],
        verbs: [
          {
            name: 'tap add',
            summary: 'let a host start servers through `tap`',
            usage: 'HOST [SERVER…|--all]',
            words: [1, Number.POSITIVE_INFINITY],
            options: [...ENTRY_OPTIONS, ALL_SERVERS, ...UPLOAD_OPTIONS],
            examples: [
              ['tap add claude-desktop files', 'the server `files` of Claude Desktop'],
              ['tap add codex --all --dry-run', 'show what would change, and write nothing'],
              ['tap add zed', 'list its servers, and ask'],
            ],
            notes: [
              'It changes only the command of the entry, and keeps a backup. `tap remove` restores it to the byte.',
            ],
            docs: 'install',
            load: () => import('./proxy/command/tap-entries'),
          },
          {
            name: 'tap remove',
            summary: 'let a host start servers as before',
            usage: 'HOST [SERVER…|--all]',
            words: [1, Number.POSITIVE_INFINITY],
            options: [...ENTRY_OPTIONS, ALL_SERVERS],
            examples: [['tap remove claude-desktop --all', 'all that are tapped']],
            notes: ['Changes that you or the host made to the config meanwhile stay.'],
            load: () => import('./proxy/command/tap-entries'),
          },
        ],
        docs: 'tap',
        load: () => import('./proxy/command/tap'),
      },
    ],
  },
  serve: () => import('./proxy/page-part'),
};
