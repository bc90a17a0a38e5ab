// Import rules of the rooms, and code that only some rooms may contain, as data. scripts/check-imports.mjs checks the
// code.

const REACT = ['react', 'react-dom'];
/** The two lowest rooms, which all others may import. */
const GROUND = ['lib/json/', 'lib/wire/'];
/** The list of features. */
const FEATURE_LIST = ['features/features', 'features/feature'];
/** The list of what features add to the page. */
const PAGE_LIST = ['features/page-features', 'features/page-feature'];
/** The list of what features do with a call. */
const CALL_LIST = ['features/call-actions', 'features/page-feature'];
/** The list of notes on servers and tools. */
const NOTE_LIST = ['features/notes', 'features/page-feature'];
/** The list of what changes the configs of hosts. */
const TAP_LIST = ['features/tap-changes', 'features/page-feature'];
/** The places of recordings that features add. */
const STORE_LIST = ['features/recording-stores', 'features/recording-store'];
/** The list of what features add to the questions of servers. */
const QUESTION_LIST = ['features/question-features', 'features/page-feature'];
/** The list of checks of entries in configs. */
const ENTRY_LIST = ['features/entry-checks', 'features/entry-check'];
/** The list of what judges servers for hosts. */
const JUDGE_LIST = ['features/host-judges', 'features/host-judge', 'features/host-options'];
/** The files of rules about messages. */
const RULE_LIST = ['features/rule-files', 'features/rule-file'];
/** How hosts connect, as data. */
const PROFILE_LIST = ['features/host-profiles', 'features/host-titles'];
/** The rooms of the proxy that subcommands are made of. */
const BELOW_COMMANDS = [
  'files',
  'process',
  'egress',
  'recorder',
  'http',
  'otel',
  'connection',
  'watch',
  'servers',
  'cli',
  'replay',
];

/** The features, lowest first. */
const FEATURES = [
  'apps',
  'skills',
  'server-card',
  'intercept',
  'hosts',
  'check',
  'tap',
  'team',
  'chat',
  'evals',
  'agents',
];
/** The rooms that code of subcommands may import. */
const COMMANDS = [...BELOW_COMMANDS, 'commands']
  .map((room) => `proxy/${room}/`)
  .concat(STORE_LIST, JUDGE_LIST, PROFILE_LIST);
/** The rooms of a tap. */
const TAPS = ['files', 'process', 'egress', 'recorder', 'http', 'otel', 'connection', 'servers']
  .map((room) => `proxy/${room}/`)
  .concat(STORE_LIST, RULE_LIST);

/**
 * One row per folder. The first row whose `in` starts a file's path is its rule. `may` lists folders or files of ours
 * that it may import in addition to itself, `packages` lists packages. Types count as imports.
 * @type {readonly { in: string, may: readonly string[], packages: readonly string[] }[]}
 */
export const LAYERS = [
  // lib, lowest room first. A room may import only rooms listed before it. A folder within a room is listed before the
  // room, and may import it.
  { in: 'lib/json/', may: [], packages: [] },
  { in: 'lib/wire/', may: ['lib/json/'], packages: ['shlex'] },
  { in: 'lib/ci/', may: [...GROUND], packages: [] },
  { in: 'lib/transports/', may: [...GROUND], packages: ['eventsource-parser'] },
  { in: 'lib/protocol/', may: [...GROUND], packages: [] },
  { in: 'lib/redact/', may: [...GROUND], packages: ['@noble/hashes'] },
  { in: 'lib/schema/', may: [...GROUND], packages: ['@cfworker/json-schema', 'json-schema-faker'] },
  { in: 'lib/contract/', may: [...GROUND, 'lib/schema/'], packages: [] },
  { in: 'lib/otel/', may: [...GROUND], packages: [] },
  { in: 'lib/auth/', may: [...GROUND, 'lib/transports/'], packages: ['@modelcontextprotocol/client'] },
  { in: 'lib/filter/language/', may: [...GROUND], packages: [] },
  {
    in: 'lib/mcp/',
    may: [...GROUND, 'lib/transports/', 'lib/protocol/', 'features/interceptor'],
    packages: [],
  },
  {
    in: 'lib/recording/har/',
    may: [...GROUND, 'lib/transports/', 'lib/mcp/', 'lib/recording/', 'lib/redact/'],
    packages: ['har-format'],
  },
  { in: 'lib/recording/', may: [...GROUND], packages: ['@noble/hashes'] },
  { in: 'lib/store/', may: [...GROUND, 'lib/transports/', 'lib/mcp/', 'lib/otel/'], packages: [] },
  { in: 'lib/auth-steps/', may: [...GROUND, 'lib/transports/', 'lib/store/'], packages: [] },
  { in: 'lib/host/', may: [...GROUND, 'lib/store/'], packages: [] },
  { in: 'lib/doctor/', may: [...GROUND, 'lib/transports/', 'lib/store/'], packages: [] },
  { in: 'lib/pdf/', may: [...GROUND], packages: ['pdfjs-dist'] },
  { in: 'lib/highlight/', may: [...GROUND], packages: ['sugar-high'] },
  { in: 'lib/filter/', may: [...GROUND, 'lib/store/'], packages: [] },
  {
    in: 'lib/problems/',
    may: [
      ...GROUND,
      'lib/transports/',
      'lib/protocol/',
      'lib/mcp/',
      'lib/store/',
      'lib/schema/',
      'features/problem-rules',
    ],
    packages: ['@cfworker/json-schema'],
  },
  {
    in: 'lib/hub/',
    may: [...GROUND, 'lib/transports/', 'lib/mcp/', 'lib/recording/', 'lib/redact/'],
    packages: [],
  },
  { in: 'lib/sharing/snippets/', may: [...GROUND, 'lib/schema/'], packages: ['shlex'] },
  {
    in: 'lib/sharing/',
    may: [...GROUND, 'lib/store/', 'lib/recording/', 'lib/redact/', 'lib/problems/', 'lib/schema/'],
    packages: ['fflate', '@noble/hashes'],
  },
  {
    in: 'lib/direct/',
    may: [...GROUND, 'lib/transports/', 'lib/mcp/', 'lib/hub/', 'lib/recording/', 'lib/redact/'],
    packages: [],
  },
  // Derived from a finished recording. The page compares; only the proxy replays.
  {
    in: 'lib/replay/traffic/',
    may: [...GROUND, 'lib/transports/', 'lib/mcp/', 'lib/store/', 'lib/recording/'],
    packages: [],
  },
  {
    in: 'lib/replay/compare/',
    may: [...GROUND, 'lib/protocol/', 'lib/mcp/', 'lib/schema/', 'lib/replay/traffic/'],
    packages: [],
  },
  {
    in: 'lib/replay/server/',
    may: [...GROUND, 'lib/transports/', 'lib/protocol/', 'lib/mcp/', 'lib/replay/traffic/', 'lib/replay/compare/'],
    packages: [],
  },
  {
    in: 'lib/client/',
    may: [
      ...GROUND,
      'lib/transports/',
      'lib/mcp/',
      'lib/hub/',
      'lib/store/',
      'lib/filter/',
      'lib/highlight/',
      'lib/pdf/',
      'lib/problems/',
      'lib/recording/',
      'lib/sharing/',
    ],
    packages: [],
  },
  {
    in: 'lib/hooks/',
    may: [
      ...GROUND,
      'lib/mcp/',
      'lib/store/',
      'lib/auth-steps/',
      'lib/host/',
      'lib/filter/',
      'lib/highlight/',
      'lib/pdf/',
      'lib/problems/',
      'lib/client/',
      'lib/recording/',
      'lib/sharing/',
    ],
    packages: ['react', '@tanstack/react-query'],
  },
  // The page's components, in the same order.
  { in: 'components/ui/', may: ['lib/wire/control-characters'], packages: [...REACT] },
  { in: 'components/untrusted/', may: ui(), packages: [...REACT, 'markdown-it'] },
  { in: 'components/editor/', may: ui(), packages: [...REACT, 'monaco-editor'] },
  { in: 'components/exchange/', may: [...ui(), ...CALL_LIST], packages: REACT },
  {
    in: 'components/form/',
    may: [...ui(), 'components/editor/', 'components/exchange/'],
    packages: REACT,
  },
  {
    in: 'components/answers/',
    may: [...ui(), 'components/editor/', 'components/exchange/', 'components/form/', ...QUESTION_LIST],
    packages: REACT,
  },
  { in: 'components/client-settings/', may: [...ui(), ...PROFILE_LIST], packages: REACT },
  { in: 'components/panels/shared/', may: [...ui(), 'components/exchange/'], packages: REACT },
  {
    in: 'components/log/',
    may: [
      ...ui(),
      'components/editor/',
      'components/exchange/',
      'components/form/',
      ...PAGE_LIST,
      'features/message-actions',
    ],
    packages: REACT,
  },
  {
    in: 'components/compare/',
    may: [...ui(), 'components/editor/', 'lib/replay/traffic/', 'lib/replay/compare/'],
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
      'components/answers/',
      'components/client-settings/',
      ...QUESTION_LIST,
      ...PAGE_LIST,
      ...PROFILE_LIST,
      ...NOTE_LIST,
      'features/result-views',
      'features/browse-groups',
      'features/server-sections',
      'features/tool-changes',
      'lib/auth-steps/',
      'lib/contract/',
      'lib/host/',
    ],
    packages: [...REACT, 'shlex', 'url-template'],
  },
  {
    in: 'components/workbench/',
    may: [
      ...ui(),
      'components/panels/registry',
      'components/panels/panel',
      'components/panels/shared/browse-group',
      'components/answers/open-question',
      'components/form/secrets',
      'components/client-settings/',
      'components/log/',
      'components/editor/',
      'components/exchange/',
      'components/compare/',
      ...PAGE_LIST,
      ...PROFILE_LIST,
      ...NOTE_LIST,
      'features/recordings-tabs',
      ...TAP_LIST,
      'features/watch-pieces',
      'features/log-actions',
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
      'lib/problems/',
      'lib/sharing/',
      'lib/direct/',
      'lib/client/',
      'lib/hooks/',
    ],
    packages: REACT,
  },
  { in: 'app/', may: ['components/', 'lib/hooks/', 'app/'], packages: [...REACT, 'next', 'geist'] },
  ...features(),
  ...proxyRooms(),
];

/**
 * The features beside the core, and the lists of what they add. A feature imports the core, and another feature only if
 * its row says so. The core imports only the lists.
 */
function features() {
  return [
    ...feature('apps', {
      lib: ['lib/store/', 'lib/problems/'],
      libPackages: ['zod'],
      components: ['components/exchange/', 'features/apps/workers/', 'lib/client/'],
      componentPackages: ['@modelcontextprotocol/ext-apps', '@modelcontextprotocol/client'],
      workerPackages: ['@modelcontextprotocol/ext-apps'],
    }),
    ...feature('skills', {
      lib: ['lib/store/', 'lib/protocol/', 'lib/problems/'],
      libPackages: ['@noble/hashes', 'yaml'],
      components: ['components/exchange/', 'components/panels/shared/'],
    }),
    ...feature('server-card', {
      lib: ['lib/transports/', 'lib/store/'],
      components: ['components/exchange/'],
    }),
    ...feature('intercept', {
      lib: ['lib/filter/language/', 'lib/mcp/'],
      components: [
        'lib/filter/',
        'lib/mcp/',
        'components/editor/',
        'components/exchange/',
        'components/form/',
        'components/log/',
        'components/panels/shared/',
        'components/workbench/part-boundary',
      ],
    }),
    ...feature('hosts', {
      uses: ['apps'],
      lib: [
        'lib/store/',
        'lib/auth-steps/',
        'lib/doctor/',
        'lib/problems/',
        'lib/ci/',
        'lib/transports/masking',
        'features/host-judge',
        'features/entry-check',
      ],
      libPackages: ['@noble/hashes'],
      components: ['features/host-judge', 'components/exchange/'],
    }),
    ...feature('check', {
      lib: [
        ...JUDGE_LIST,
        'features/host-limits',
        'lib/ci/',
        'lib/protocol/',
        'lib/mcp/',
        'lib/store/',
        'lib/schema/',
        'lib/problems/',
        'lib/recording/',
        'lib/replay/traffic/',
        'lib/replay/compare/',
      ],
      components: ['components/compare/', 'components/exchange/', 'components/panels/shared/'],
      componentPackages: ['@tanstack/react-query'],
    }),
    ...feature('tap', {
      uses: ['intercept'],
      rooms: [
        // A host waits for a tap, so it uses few rooms.
        proxyRow('features/tap/proxy/command/', ['features/tap/', ...COMMANDS, ...ENTRY_LIST]),
        proxyRow(
          'features/tap/proxy/install/',
          ['proxy/files/', 'proxy/connection/', 'proxy/http/', 'proxy/servers/'],
          ['jsonc-parser'],
        ),
        proxyRow('features/tap/proxy/page-part.ts', ['features/tap/', ...COMMANDS]),
        proxyRow('features/tap/proxy/', [
          ...TAPS,
          'features/tap/proxy/',
          'features/intercept/lib/',
          'features/intercept/proxy/',
        ]),
      ],
      components: ['lib/host/', 'components/exchange/', 'components/panels/shared/'],
      componentPackages: ['@tanstack/react-query'],
    }),
    ...feature('team', {
      rooms: [
        proxyRow('features/team/proxy/bucket/', ['features/team/lib/', ...COMMANDS], ['aws4fetch']),
        // DuckDB for its types only: it is looked up when it is needed.
        proxyRow(
          'features/team/proxy/query/',
          ['features/team/lib/', 'features/team/proxy/bucket/', ...COMMANDS],
          ['hyparquet-writer', '@duckdb/node-api'],
        ),
      ],
      lib: ['lib/store/', 'lib/problems/', 'lib/host/'],
      componentPackages: ['@tanstack/react-query'],
    }),
    ...feature('chat', {
      rooms: [
        proxyRow(
          'features/chat/proxy/model/',
          ['features/chat/lib/', 'proxy/files/', 'proxy/egress/'],
          ['yaml', '@ai-sdk'],
        ),
      ],
      lib: ['lib/schema/'],
      proxyPackages: ['yaml'],
      components: [
        'components/editor/',
        'components/exchange/',
        'components/form/',
        'components/answers/',
        'features/answer-buttons',
      ],
      componentPackages: ['@tanstack/react-query', 'url-template'],
    }),
    ...feature('evals', {
      uses: ['chat'],
      lib: ['lib/schema/', 'lib/ci/'],
      libPackages: ['yaml'],
      componentPackages: ['@tanstack/react-query'],
    }),
    ...feature('agents', { uses: ['chat', 'tap'], proxyPackages: ['@modelcontextprotocol/server', 'zod'] }),
    // The types of the lists, and the lists.
    {
      in: 'features/feature.ts',
      may: [
        'proxy/cli/grammar',
        'proxy/cli/exit-code',
        'proxy/cli/output',
        'lib/store/log',
        'lib/wire/command',
        'proxy/commands/headless/on-server',
        'proxy/commands/inspect/page-part',
        'proxy/commands/export/masked-copies',
        'proxy/commands/shared/output-options',
      ],
      packages: [],
    },
    {
      in: 'features/recording-store.ts',
      may: ['proxy/cli/', 'proxy/commands/shared/recording-file', 'proxy/recorder/recording-uploads'],
      packages: [],
    },
    {
      in: 'features/host-judge.ts',
      may: ['lib/json/value', 'lib/wire/format', 'lib/store/log', 'proxy/commands/headless/on-server'],
      packages: [],
    },
    {
      in: 'features/page-feature.ts',
      may: ['lib/', 'components/panels/panel', 'components/panels/shared/', 'components/ui/'],
      packages: REACT,
    },
    list('features.ts', 'feature'),
    list('page-features.ts', 'page'),
    list('question-features.ts', 'questions'),
    list('answer-buttons.ts', 'components/'),
    list('tap-changes.ts', 'components/'),
    list('library.ts', 'library/'),
    list('quick-commands.ts', 'proxy/main'),
    list('call-actions.ts', 'components/'),
    list('notes.ts', 'components/'),
    list('result-views.ts', 'result-view'),
    list('browse-groups.ts', 'components/'),
    list('server-sections.ts', 'components/'),
    list('log-actions.ts', 'components/'),
    list('message-actions.ts', 'components/'),
    list('tool-changes.ts', 'components/'),
    list('rule-files.ts', 'rule-files'),
    { in: 'features/rule-file.ts', may: ['lib/mcp/', 'proxy/cli/grammar'], packages: [] },
    { ...list('interceptor.ts', 'interceptor'), may: ['lib/mcp/', ...list('', 'interceptor').may] },
    { ...list('problem-rules.ts', 'lib/'), may: ['lib/problems/rule', ...list('', 'lib/').may] },
    list('watch-pieces.ts', 'components/'),
    list('settings-readers.ts', 'lib/'),
    { ...list('page-options.ts', 'proxy/'), may: ['proxy/cli/grammar', ...list('', 'proxy/').may] },
    list('recordings-tabs.ts', 'recordings-tabs'),
    list('recording-stores.ts', 'recording-store'),
    list('host-judges.ts', 'judge'),
    list('host-limits.ts', 'lib/'),
    list('entry-checks.ts', 'lib/'),
    { in: 'features/entry-check.ts', may: ['lib/wire/'], packages: [] },
    { ...list('host-options.ts', 'options'), may: ['proxy/cli/grammar', ...list('', 'options').may] },
    list('host-titles.ts', 'lib/'),
    { ...list('host-profiles.ts', 'lib/'), may: ['lib/wire/client-profile', ...list('', 'lib/').may] },
  ];
}

/** A list of what features add: each row is a file of a feature with this name, or in this folder. */
function list(file, ...parts) {
  const types = ['feature', 'page-feature', 'recording-store', 'host-judge', 'entry-check', 'rule-file'];
  const rows = FEATURES.flatMap((name) => parts.map((part) => `features/${name}/${part}`));
  return { in: `features/${file}`, may: [...types.map((type) => `features/${type}`), ...rows], packages: REACT };
}

/**
 * The rows of one feature: what its folders may import, each as the core's rooms of that name. `uses`: other features,
 * without which this one can't be. `rooms`: rows of folders in its `proxy`.
 */
function feature(
  name,
  {
    uses = [],
    rooms = [],
    lib = [],
    libPackages = [],
    proxyPackages = [],
    components = [],
    componentPackages = [],
    workerPackages = [],
  },
) {
  const own = `features/${name}`;
  const of = (...folders) => [name, ...uses].flatMap((one) => folders.map((folder) => `features/${one}/${folder}/`));
  return [
    { in: `${own}/lib/`, may: [...GROUND, ...lib, ...of('lib')], packages: libPackages },
    ...rooms,
    proxyRow(`${own}/proxy/`, [...COMMANDS, ...of('lib', 'proxy')], proxyPackages),
    proxyRow(`${own}/library/`, [...COMMANDS, ...of('lib', 'proxy'), 'proxy/library/']),
    {
      in: `${own}/components/`,
      may: [...ui(), ...components, ...of('lib', 'components'), 'features/page-feature'],
      packages: [...REACT, ...componentPackages],
    },
    { in: `${own}/workers/`, may: of('lib'), packages: workerPackages },
    // The files that the lists name.
    {
      in: `${own}/feature.ts`,
      may: [
        'features/feature',
        `${own}/recording-store`,
        ...of('proxy'),
        ...[name, ...uses].map((one) => `features/${one}/rule-files`),
        'proxy/cli/',
      ],
      packages: [],
    },
    {
      in: `${own}/recording-store.ts`,
      may: ['features/recording-store', ...of('proxy'), 'proxy/cli/grammar'],
      packages: [],
    },
    { in: `${own}/options.ts`, may: ['proxy/cli/grammar'], packages: [] },
    { in: `${own}/interceptor.ts`, may: ['lib/mcp/', ...of('lib')], packages: [] },
    { in: `${own}/rule-files.ts`, may: ['features/rule-file', ...of('proxy')], packages: [] },
    { in: `${own}/judge.ts`, may: ['features/host-judge', ...of('lib', 'proxy')], packages: [] },
    {
      in: `${own}/page.ts`,
      may: ['features/page-feature', ...of('lib', 'components'), 'components/ui/lazy-when-idle'],
      packages: ['react'],
    },
    { in: `${own}/recordings-tabs.ts`, may: ['features/page-feature', ...of('components')], packages: ['react'] },
    {
      in: `${own}/result-view.ts`,
      may: ['features/page-feature', ...of('lib', 'components'), 'components/ui/lazy-when-idle'],
      packages: ['react'],
    },
    { in: `${own}/questions.ts`, may: ['features/page-feature', ...of('components')], packages: [] },
  ];
}

/** A row of Node code of a feature, which may import what all rooms of the proxy may. */
function proxyRow(folder, may, packages = []) {
  const { may: all, packages: usual } = proxyRoom('');
  return { in: folder, may: [...all, ...may], packages: [...usual, ...packages] };
}

/** Rooms that every component may import. */
function ui() {
  return [
    'components/ui/',
    'components/untrusted/',
    'lib/hooks/',
    'lib/store/',
    'lib/filter/',
    'lib/highlight/',
    'lib/pdf/',
    'lib/schema/',
    'lib/sharing/snippets/',
    'lib/problems/',
    ...GROUND,
  ];
}

/** The rooms of the proxy, lowest first. A room may import only rooms listed before it. */
function proxyRooms() {
  const cli = proxyRoom('cli/', 'http', 'otel', 'connection', 'servers');
  const shared = proxyRoom('commands/shared/', ...BELOW_COMMANDS);
  return [
    proxyRoom('files/'),
    proxyRoom('process/', 'files'),
    proxyRoom('egress/', 'files'),
    proxyRoom('recorder/', 'files'),
    proxyRoom('http/', 'files', 'recorder'),
    proxyRoom('otel/', 'files', 'egress', 'http'),
    proxyRoom('connection/', 'files', 'egress', 'process', 'recorder', 'otel'),
    proxyRoom('watch/', 'files', 'process', 'egress', 'connection'),
    proxyRoom('servers/', 'files', 'recorder', 'connection'),
    { ...cli, may: [...cli.may, 'features/page-options', 'features/host-options', 'features/rule-files'] },
    proxyRoom('replay/', 'http', 'connection'),
    { ...shared, may: [...shared.may, 'features/settings-readers', 'features/rule-files', ...JUDGE_LIST] },
    // Exchanges go to a collector (export) while the connection lasts.
    headlessRoom(),
    ...[
      'registry',
      'table/recordings',
      'table/use-server',
      'list/list',
      'read/read',
      'export/export',
      'completion/completion',
      'inspect/inspect',
    ].map((file) => listReader(`commands/${file}.ts`)),
    judgeReader('commands/doctor/', ...FEATURE_LIST),
    judgeReader('commands/table/find-faults.ts', ...FEATURE_LIST),
    proxyRoom('commands/', ...BELOW_COMMANDS),
    libraryRoom(),
    { in: 'proxy/main.ts', may: ['proxy/commands/', 'features/quick-commands'], packages: ['node:'] },
  ];
}

/** A file of the core that reads the list of features: the registry of subcommands, and the page's server. */
function listReader(file) {
  const { may, packages } = proxyRoom(file, ...BELOW_COMMANDS, 'commands');
  return { in: `proxy/${file}`, may: [...may, ...FEATURE_LIST], packages };
}

/** The room that connects subcommands, also as hosts do. */
function headlessRoom() {
  const row = proxyRoom('commands/headless/', ...BELOW_COMMANDS, 'commands/shared', 'commands/export');
  return { ...row, may: [...row.may, ...PROFILE_LIST] };
}

/** A room of the core that asks how servers get along with hosts. */
function judgeReader(room, ...more) {
  const row = proxyRoom(room, ...BELOW_COMMANDS, 'commands');
  return { ...row, may: [...row.may, ...JUDGE_LIST, ...more] };
}

/** The library reads the list of what features add to it. */
function libraryRoom() {
  const row = proxyRoom('library/', 'files', 'process', 'recorder', 'otel', 'connection', 'cli', 'replay', 'commands');
  return { ...row, may: [...row.may, 'features/library'] };
}

/** A room of the proxy may import the rooms of lib that need no page, and the proxy rooms in `below`. */
function proxyRoom(name, ...below) {
  const packages = {
    'files/': ['fflate'],
    'servers/': ['jsonc-parser', 'smol-toml', 'yaml'],
    'watch/': ['chokidar', 'ignore'],
  };
  return {
    in: `proxy/${name}`,
    may: [
      ...below.map((room) => `proxy/${room}/`),
      // These read words of a command line, which may be addresses.
      ...(/^(?:servers|cli|commands)\//.test(name) ? STORE_LIST : []),
      ...GROUND,
      'lib/transports/',
      'lib/protocol/',
      'lib/otel/',
      'lib/auth/',
      'lib/mcp/',
      'lib/hub/',
      'lib/recording/',
      'lib/redact/',
      'lib/sharing/',
      'lib/store/',
      'lib/host/',
      'lib/filter/',
      'lib/problems/',
      'lib/replay/',
      'lib/schema/',
      'lib/contract/',
      'lib/doctor/',
      'lib/ci/',
    ],
    packages: ['node:', 'ws', 'shlex', ...(packages[name] ?? [])],
  };
}

/**
 * Folders whose members may not import one another. Files in `open` may import all of them, and all may import
 * `shared`.
 */
export const STRANGERS = [
  {
    in: 'components/panels/',
    open: [
      'components/panels/registry.tsx',
      'components/panels/browse/browse-panel.tsx',
      'components/panels/browse/browse-menu.tsx',
    ],
    shared: 'components/panels/shared/',
  },
];

const FS_WRITES =
  /\bimport\s*(?:\*|\w+\s+from|\{[^}]*\b(?:append\w*|chmod\w*|copyFile\w*|cp|cpSync|createWriteStream|ftruncate\w*|link|linkSync|mkdir\w*|mkdtemp\w*|open|openSync|rename\w*|rm|rmSync|rmdir\w*|symlink\w*|truncate\w*|unlink\w*|write\w*)\b[^}]*\}\s*from)[^;'"]*['"]node:fs(?:\/promises)?['"]/;

/**
 * Code that only some rooms may contain. `pattern` is searched in a file's text without its comments.
 * @type {readonly { what: string, pattern: RegExp, only: readonly string[] }[]}
 */
export const OWNERS = [
  { what: 'starting processes', pattern: /['"](?:node:)?child_process['"]/, only: ['proxy/process/'] },
  { what: 'writing files', pattern: FS_WRITES, only: ['proxy/files/'] },
  {
    what: 'making requests to other hosts',
    pattern: /(?<![\w.])fetch\(|['"]node:https['"]/,
    only: ['proxy/egress/', 'lib/client/', 'lib/direct/'],
  },
  { what: 'the browser’s database (IndexedDB)', pattern: /\bindexedDB\b/, only: ['lib/direct/'] },
  { what: 'opening WebSockets', pattern: /\bnew WebSocket\(/, only: ['lib/client/'] },
  {
    what: 'starting workers',
    pattern: /\bnew Worker\(/,
    only: [
      'lib/client/',
      'components/editor/',
      'components/form/checking.tsx',
      'viewer/main.tsx',
      'proxy/recorder/',
      'features/tap/proxy/recording-feed.ts',
      'features/team/proxy/query/',
      'proxy/otel/',
    ],
  },
  // Either fails for an object with a member `toString`.
  { what: 'text or a number of any value (see plainText)', pattern: /\b(?:String|Number)\([^()]*\bown\(/, only: [] },
  { what: 'raw HTML', pattern: /\bdangerouslySetInnerHTML\b/, only: [] },
  { what: '<iframe>', pattern: /<iframe\b/, only: ['features/apps/components/app-frame.tsx'] },
  { what: '<img>', pattern: /<img\b/, only: ['components/untrusted/'] },
  { what: 'href made from data', pattern: /\bhref=\{/, only: ['components/untrusted/'] },
  {
    what: 'navigating by Next, which reloads a static export',
    pattern: /['"]next\/(?:link|navigation|router)['"]/,
    only: [],
  },
];
