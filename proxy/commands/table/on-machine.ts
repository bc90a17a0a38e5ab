import type { Command } from '@/proxy/cli/grammar';
import { INSTALL_OPTIONS, OTLP_OPTION, SERVER_OPTIONS, UPLOAD_OPTIONS } from '@/proxy/cli/options';

/** Options about servers that a tap of a URL has. The host sends all headers. */
const HTTP_TAP_OPTIONS: ReadonlySet<string> = new Set(['tls', 'insecure', 'allow-link-local']);

export const MACHINE: readonly Command[] = [
  {
    name: 'servers',
    summary: 'list the servers in configs on this machine',
    usage: '',
    words: [0, 0],
    options: [{ name: 'json', help: 'print a JSON array' }],
    examples: [
      ['mcp-inspect servers', 'what Claude, Cursor, VS Code and others use'],
      ['mcp-inspect list --server claude-desktop/files', 'connect to one: --server NAME or HOST/NAME'],
    ],
    notes: [
      'It only reads: it starts no server. Values of variables and headers are never printed.',
      'docs/configs.md lists the hosts and their files.',
    ],
    load: () => import('../servers'),
  },
  {
    name: 'status',
    summary: 'list servers of hosts, and which are tapped',
    usage: '[HOST]',
    words: [0, 1],
    options: [
      { name: 'file', value: 'PATH', help: 'with HOST: look into this config' },
      { name: 'json', help: 'print a JSON array' },
    ],
    examples: [['mcp-inspect status', 'every host and config; marks taps that can’t start']],
    load: () => import('../install/status'),
  },
  {
    name: 'taps',
    summary: 'list running taps',
    usage: '',
    words: [0, 0],
    options: [{ name: 'json', help: 'print a JSON array' }],
    examples: [['mcp-inspect taps', 'which host uses which server, and where its recording is']],
    load: () => import('../taps'),
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
      { name: 'otel', value: 'on', help: 'also record the OpenTelemetry of the server (docs/otel.md)' },
      { name: 'max-size', value: 'SIZE', help: 'begin another recording after this size (default 64MB)' },
      { name: 'max-age', value: 'AGE', help: 'begin another recording after this age (default 1d)' },
      { name: 'rules', value: 'FILE', help: 'delay, change, answer or drop messages by the rules in this file' },
      { name: 'overlay', value: 'FILE', help: 'rename, redescribe or hide tools as this file says' },
      { name: 'no-record', help: 'pass bytes only; the page does not show this session' },
      { name: 'http', value: 'URL', help: 'run a reverse proxy to the server at this URL, and print its URL' },
      { name: 'port', value: 'NUMBER', help: 'with --http: listen on this port (default: any free one)' },
      {
        name: 'listen',
        value: 'ADDRESS[,NAME…]',
        help: 'with --http: listen on ADDRESS; names that hosts may use for it',
      },
      OTLP_OPTION,
      ...UPLOAD_OPTIONS,
      ...SERVER_OPTIONS.filter(({ name }) => HTTP_TAP_OPTIONS.has(name)),
    ],
    examples: [
      ['mcp-inspect tap -- node server.js', 'for a host’s config'],
      ['mcp-inspect tap --http https://example.com/mcp --port 6280', 'a server at a URL'],
      ['mcp-inspect tap --host cursor --name files -- npx -y some-server', 'with names for the page'],
      ['mcp-inspect tap --rules faults.json -- node server.js', 'with fault rules'],
    ],
    notes: [
      'Without rules, bytes pass both ways unchanged. So do stderr, signals, exit code and ends of streams.',
      'Each session is a recording, with its secrets masked. Start `mcp-inspect` to see all sessions live.',
      'With --http, put the printed URL into the host. docs/tap.md lists what does not work through a tap.',
    ],
    load: () => import('../tap'),
  },
  {
    name: 'install',
    summary: 'let a host start servers through `tap`',
    usage: 'HOST [SERVER…]',
    words: [1, Number.POSITIVE_INFINITY],
    options: [...INSTALL_OPTIONS, ...UPLOAD_OPTIONS],
    examples: [
      ['mcp-inspect install claude-desktop files', 'the server `files` of Claude Desktop'],
      ['mcp-inspect install codex --all --dry-run', 'show what would change, and write nothing'],
      ['mcp-inspect install zed', 'list its servers, and ask'],
      ['mcp-inspect install claude-code --mcp', 'mcp-inspect itself, for its agent'],
    ],
    notes: [
      'It changes only the command of the entry, and keeps a backup. `uninstall` restores it to the byte.',
      'docs/install.md describes the hosts and files.',
    ],
    load: () => import('../install/install'),
  },
  {
    name: 'uninstall',
    summary: 'let a host start servers as before',
    usage: 'HOST [SERVER…]',
    words: [1, Number.POSITIVE_INFINITY],
    options: INSTALL_OPTIONS,
    examples: [['mcp-inspect uninstall claude-desktop --all', 'all that are tapped']],
    notes: ['Changes that you or the host made to the config meanwhile stay.'],
    load: () => import('../install/uninstall'),
  },
  {
    name: 'sign-ins',
    summary: 'list or delete kept sign-ins',
    usage: '[URL…]',
    words: [0, Number.POSITIVE_INFINITY],
    options: [
      { name: 'delete', help: 'delete those of these servers' },
      { name: 'delete-all', help: 'delete all' },
      { name: 'json', help: 'print a JSON array, without tokens' },
    ],
    examples: [
      ['mcp-inspect sign-ins', 'servers, issuers and scopes'],
      ['mcp-inspect sign-ins --delete https://host/mcp', 'sign in again next time'],
    ],
    notes: ['A sign-in is kept only with `--auth keep`, or by *Keep for later runs* on the page.'],
    load: () => import('../sign-ins'),
  },
];
