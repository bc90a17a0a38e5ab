// Who may import whom, and who owns what, as data. scripts/check-imports.mjs holds the code against it.

const REACT = ['react', 'react-dom'];

/**
 * One row a folder; the first whose `in` starts a file's path is its rule. `may` lists the folders (or files) of ours that
 * it may import besides itself, `packages` what else. Types count as imports.
 * @type {readonly { in: string, may: readonly string[], packages: readonly string[] }[]}
 */
export const LAYERS = [
  // lib, from the ground up: no room uses one that stands further down.
  { in: 'lib/wire/', may: [], packages: ['shlex'] },
  { in: 'lib/transports/', may: ['lib/wire/'], packages: ['eventsource-parser'] },
  { in: 'lib/protocol/', may: ['lib/wire/'], packages: [] },
  { in: 'lib/recording/', may: ['lib/wire/'], packages: ['@noble/hashes'] },
  { in: 'lib/redact/', may: ['lib/wire/'], packages: ['@noble/hashes'] },
  { in: 'lib/schema/', may: ['lib/wire/'], packages: [] },
  {
    in: 'lib/auth/',
    may: ['lib/wire/', 'lib/transports/'],
    packages: ['@modelcontextprotocol/client'],
  },
  { in: 'lib/mcp/', may: ['lib/wire/', 'lib/transports/', 'lib/protocol/'], packages: [] },
  { in: 'lib/snippets/', may: ['lib/wire/', 'lib/schema/'], packages: ['shlex'] },
  {
    in: 'lib/checker/',
    may: ['lib/wire/', 'lib/schema/'],
    packages: ['@cfworker/json-schema', 'json-schema-faker'],
  },
  { in: 'lib/store/', may: ['lib/wire/', 'lib/transports/', 'lib/mcp/'], packages: [] },
  { in: 'lib/har/', may: ['lib/wire/', 'lib/transports/', 'lib/mcp/', 'lib/recording/', 'lib/redact/'], packages: [] },
  { in: 'lib/reading/', may: ['lib/wire/', 'lib/recording/', 'lib/har/'], packages: [] },
  { in: 'lib/doctor/', may: ['lib/wire/', 'lib/transports/', 'lib/store/'], packages: [] },
  { in: 'lib/filter/', may: ['lib/wire/', 'lib/store/'], packages: [] },
  {
    in: 'lib/problems/',
    may: ['lib/wire/', 'lib/transports/', 'lib/protocol/', 'lib/mcp/', 'lib/store/', 'lib/checker/'],
    packages: ['@cfworker/json-schema'],
  },
  {
    in: 'lib/hub/',
    may: ['lib/wire/', 'lib/transports/', 'lib/mcp/', 'lib/recording/', 'lib/reading/', 'lib/redact/'],
    packages: [],
  },
  {
    in: 'lib/session/',
    may: ['lib/wire/', 'lib/transports/', 'lib/mcp/', 'lib/store/', 'lib/recording/', 'lib/reading/'],
    packages: [],
  },
  {
    in: 'lib/sharing/',
    may: [
      'lib/wire/',
      'lib/store/',
      'lib/recording/',
      'lib/har/',
      'lib/redact/',
      'lib/problems/',
      'lib/snippets/',
      'lib/schema/',
    ],
    packages: ['fflate', '@noble/hashes'],
  },
  {
    in: 'lib/direct/',
    may: ['lib/wire/', 'lib/transports/', 'lib/mcp/', 'lib/hub/', 'lib/recording/', 'lib/redact/'],
    packages: [],
  },
  {
    in: 'lib/compare/',
    may: ['lib/wire/', 'lib/protocol/', 'lib/mcp/', 'lib/schema/', 'lib/session/'],
    packages: [],
  },
  {
    in: 'lib/replay/',
    may: ['lib/wire/', 'lib/transports/', 'lib/protocol/', 'lib/mcp/', 'lib/session/', 'lib/compare/'],
    packages: [],
  },
  {
    in: 'lib/client/',
    may: [
      'lib/wire/',
      'lib/transports/',
      'lib/mcp/',
      'lib/hub/',
      'lib/store/',
      'lib/filter/',
      'lib/problems/',
      'lib/recording/',
      'lib/reading/',
      'lib/sharing/',
    ],
    packages: [],
  },
  {
    in: 'lib/hooks/',
    may: [
      'lib/wire/',
      'lib/mcp/',
      'lib/store/',
      'lib/filter/',
      'lib/problems/',
      'lib/client/',
      'lib/recording/',
      'lib/sharing/',
    ],
    packages: ['react', '@tanstack/react-query'],
  },
  // The page’s components, likewise.
  { in: 'components/ui/', may: ['lib/wire/hidden-characters'], packages: [...REACT] },
  { in: 'components/untrusted/', may: ui(), packages: [...REACT, 'markdown-it'] },
  { in: 'components/editor/', may: ui(), packages: [...REACT, 'monaco-editor'] },
  { in: 'components/exchange/', may: ui(), packages: REACT },
  {
    in: 'components/form/',
    may: [...ui(), 'components/editor/', 'components/exchange/', 'lib/checker/'],
    packages: REACT,
  },
  { in: 'components/catalogue/', may: [...ui(), 'components/exchange/'], packages: REACT },
  {
    in: 'components/log/',
    may: [...ui(), 'components/editor/', 'components/exchange/', 'components/form/'],
    packages: REACT,
  },
  {
    in: 'components/compare/',
    may: [...ui(), 'components/editor/', 'lib/session/', 'lib/compare/'],
    packages: REACT,
  },
  {
    in: 'components/panels/',
    may: [
      ...ui(),
      'components/log/',
      'components/form/',
      'components/editor/',
      'components/exchange/',
      'components/catalogue/',
    ],
    packages: [...REACT, 'shlex', 'url-template'],
  },
  {
    in: 'components/workbench/',
    may: [
      ...ui(),
      'components/panels/registry',
      'components/log/',
      'components/editor/',
      'components/exchange/',
      'components/compare/',
      'lib/doctor/',
      'lib/recording/',
      'lib/redact/',
      'lib/sharing/',
    ],
    packages: [...REACT, 'shlex'],
  },
  {
    in: 'viewer/',
    may: [
      'components/ui/',
      'components/workbench/',
      'components/editor/',
      'lib/wire/',
      'lib/recording/',
      'lib/direct/',
      'lib/client/',
      'lib/hooks/',
    ],
    packages: REACT,
  },
  { in: 'app/', may: ['components/', 'lib/hooks/', 'app/'], packages: [...REACT, 'next', 'geist'] },
  ...proxyRooms(),
];

/** What every component may use. */
function ui() {
  return [
    'components/ui/',
    'components/untrusted/',
    'lib/hooks/',
    'lib/store/',
    'lib/filter/',
    'lib/schema/',
    'lib/snippets/',
    'lib/problems/',
    'lib/wire/',
  ];
}

/** The rooms of the proxy, from the ground up: none may use one that stands further down this list. */
function proxyRooms() {
  const transport = ['connection', 'process', 'transports'];
  return [
    proxyRoom('process'),
    proxyRoom('egress'),
    proxyRoom('recorder'),
    proxyRoom('http', 'recorder'),
    proxyRoom('authorization', 'http'),
    proxyRoom('connection', 'egress', 'process', 'recorder'),
    proxyRoom('transports', 'connection', 'egress', 'process'),
    proxyRoom('terminal'),
    proxyRoom('cli', 'http', 'connection', 'terminal'),
    proxyRoom('comparing', 'recorder', 'cli', 'terminal'),
    proxyRoom('headless', ...transport, 'authorization', 'recorder', 'terminal', 'cli', 'comparing'),
    proxyRoom('replay', ...transport, 'http', 'recorder', 'terminal', 'cli', 'headless'),
    proxyRoom('recordings', 'http', 'recorder', 'terminal', 'cli', 'comparing', 'replay'),
    proxyRoom('main', ...transport, 'http', 'authorization', 'recorder', 'terminal', 'cli', 'headless', 'recordings'),
  ];
}

/** Of lib a room may use what needs no page. */
function proxyRoom(name, ...below) {
  return {
    in: `proxy/${name}/`,
    may: [
      ...below.map((room) => `proxy/${room}/`),
      'lib/wire/',
      'lib/transports/',
      'lib/protocol/',
      'lib/auth/',
      'lib/mcp/',
      'lib/hub/',
      'lib/recording/',
      'lib/har/',
      'lib/reading/',
      'lib/redact/',
      'lib/sharing/',
      'lib/store/',
      'lib/session/',
      'lib/replay/',
      'lib/compare/',
      'lib/schema/',
      'lib/checker/',
      'lib/doctor/',
    ],
    packages: ['node:', 'ws', 'shlex'],
  };
}

/** Folders whose members are closed to one another; the files in `open` may see all of them. */
export const STRANGERS = [
  { in: 'components/panels/', open: ['components/panels/registry.ts', 'components/panels/registry.tsx'] },
];

const FS_WRITES =
  /\bimport\s*(?:\*|\w+\s+from|\{[^}]*\b(?:append\w*|chmod\w*|copyFile\w*|cp|cpSync|createWriteStream|ftruncate\w*|link|linkSync|mkdir\w*|mkdtemp\w*|open|openSync|rename\w*|rm|rmSync|rmdir\w*|symlink\w*|truncate\w*|unlink\w*|write\w*)\b[^}]*\}\s*from)[^;'"]*['"]node:fs(?:\/promises)?['"]/;

/**
 * What only one place may do. `pattern` is looked for in a file's text without its comments.
 * @type {readonly { what: string, pattern: RegExp, only: readonly string[], within?: string }[]}
 */
export const OWNERS = [
  { what: 'starting processes', pattern: /['"](?:node:)?child_process['"]/, only: ['proxy/process/'] },
  { what: 'writing files', pattern: FS_WRITES, only: ['proxy/recorder/'] },
  {
    what: 'requests to other hosts',
    pattern: /(?<![\w.])fetch\(|['"]node:https['"]/,
    only: ['proxy/egress/', 'lib/client/', 'lib/direct/'],
  },
  { what: 'the browser’s database', pattern: /\bindexedDB\b/, only: ['lib/direct/'] },
  { what: 'opening WebSockets', pattern: /\bnew WebSocket\(/, only: ['lib/client/'] },
  {
    what: 'starting workers',
    pattern: /\bnew Worker\(/,
    only: ['lib/client/', 'components/editor/', 'components/form/use-checker.ts', 'viewer/main.tsx'],
  },
  { what: 'raw HTML', pattern: /\bdangerouslySetInnerHTML\b/, only: [] },
  { what: 'frames within the page', pattern: /<iframe\b/, only: ['components/untrusted/'] },
  { what: 'images', pattern: /<img\b/, only: ['components/untrusted/'] },
  { what: 'links made from data', pattern: /\bhref=\{/, only: ['components/untrusted/'] },
  {
    what: 'navigating by Next, which reloads a static export',
    pattern: /['"]next\/(?:link|navigation|router)['"]/,
    only: [],
  },
];
