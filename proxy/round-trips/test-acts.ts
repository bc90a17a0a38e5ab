import { join } from 'node:path';

/** As far as later acts are made of it. */
export interface Result {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: { readonly nextCursor: string };
  readonly task: { readonly taskId: string };
  readonly taskId: string;
}

/** What later acts may be made of: the result of the last one, and the folder of the trip. */
interface SoFar {
  readonly last: Result;
  readonly folder: string;
}

/** A request to make. */
export interface Act {
  readonly method: string;
  readonly params?: object | ((so: SoFar) => object);
  /** It is given up at its first progress. */
  readonly cancelled?: true;
  /** It is over when the server has said this, too. */
  readonly awaits?: string;
}

/** What is answered to servers’ questions, by method. */
export const ANSWERS: Readonly<Record<string, object>> = {
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'Sampled.' } },
  'elicitation/create': { action: 'accept', content: { n: 7 } },
  'roots/list': { roots: [] },
};

const tool = (name: string, args: object = {}): Act => ({ method: 'tools/call', params: { name, arguments: args } });
const toolWith = (name: string, args: (so: SoFar) => object): Act => ({
  method: 'tools/call',
  params: (so: SoFar) => ({ name, arguments: args(so) }),
});
const read = (uri: string): Act => ({ method: 'resources/read', params: { uri } });
const prompt = (name: string, args: object = {}): Act => ({ method: 'prompts/get', params: { name, arguments: args } });
const cancelled = (act: Act): Act => ({ ...act, cancelled: true });

const complete = (ref: object, name: string, value: string): Act => ({
  method: 'completion/complete',
  params: { ref, argument: { name, value } },
});

const DEMO: readonly Act[] = [
  tool('echo', { message: '√ü "\\' }),
  tool('echo', { message: 'again' }),
  tool('echo', { message: 'again' }),
  tool('count_waves', { waves: 7 }),
  tool('read_instruments'),
  tool('climb_tower', { steps: 3, delay_ms: 1 }),
  cancelled(tool('climb_tower', { steps: 1000, delay_ms: 20 })),
  tool('call_all_levels'),
  tool('row_in_gale'),
  tool('drop_lens'),
  tool('no such tool'),
  read('light://log/2'),
  read('light://nowhere'),
  prompt('hail_ship', { ship: 'Ada' }),
  complete({ type: 'ref/prompt', name: 'choose_port' }, 'sea', 'n'),
  tool('write_entry', { text: 'Fog.', keeper: 'Callum Rae' }),
  tool('change_watch'),
  read('light://logbook'),
];

const DEMO_LEGACY: readonly Act[] = [
  { method: 'logging/setLevel', params: { level: 'info' } },
  { method: 'resources/subscribe', params: { uri: 'light://logbook' } },
  ...DEMO,
  { method: 'resources/unsubscribe', params: { uri: 'light://logbook' } },
  { method: 'ping' },
];

const EVERYTHING: readonly Act[] = [
  // A while after the handshake it asks for roots, and logs that: during whichever call that is, the one that is given up included.
  tool('echo', { message: 'hello' }),
  tool('get-sum', { a: 1, b: 2.5 }),
  tool('get-structured-content', { location: 'Chicago' }),
  tool('get-resource-links', { count: 2 }),
  tool('trigger-long-running-operation', { duration: 0.2, steps: 4 }),
  cancelled(tool('trigger-long-running-operation', { duration: 2, steps: 40 })),
  tool('trigger-sampling-request', { prompt: 'Say it.', maxTokens: 5 }),
  tool('trigger-elicitation-request'),
  tool('get-roots-list'),
  tool('no such tool'),
  prompt('simple-prompt'),
  prompt('args-prompt', { city: 'Oslo' }),
  read('demo://resource/dynamic/text/1'),
  read('demo://resource/static/document/features.md'),
  complete({ type: 'ref/prompt', name: 'completable-prompt' }, 'department', 'E'),
  { method: 'logging/setLevel', params: { level: 'error' } },
];
/** It tells of it in a log message that names the session, which over HTTP is a secret. */
const EVERYTHING_SUBSCRIBES: readonly Act[] = [
  { method: 'resources/subscribe', params: { uri: 'demo://resource/dynamic/text/1' } },
  ...EVERYTHING,
];

/** What the server of the modern era does that answers without being asked for more. */
const MODERN: readonly Act[] = [
  tool('add', { a: 1, b: 2 }),
  tool('range', { count: 3 }),
  tool('count', { steps: 3 }),
  tool('in-region', { region: 'north' }),
  tool('throws'),
  tool('add', { a: 'one' }),
  prompt('greet', { name: 'Ada' }),
  prompt('greet'),
  read('fixture://notes'),
];
const COUNTS_ON = cancelled(tool('count', { steps: 1000, delayMs: 20 }));
/** What comes of a call besides progress while it is given up may come or not, so there are no logs then. */
const MODERN_LEGACY = [...MODERN, { method: 'logging/setLevel', params: { level: 'error' } }, COUNTS_ON];
/** It asks in the modern era only, and over HTTP forgets that a tool was added. */
const MODERN_ASKS = [...MODERN, COUNTS_ON, tool('ask')];
const MODERN_GROWS = [...MODERN_ASKS, { ...tool('grow'), awaits: 'notifications/tools/list_changed' }];

const ASK = ['kinds', 'choices', 'nothing', 'done', 'sample', 'roots', 'withdraw'].map((name) => tool(name));

/** It gives out names of its own: of orders, pages and tasks. */
const SHOP: readonly Act[] = [
  tool('order', { item: 'tea' }),
  toolWith('status', ({ last }) => ({ order: JSON.parse(last.content[0]!.text).order })),
  tool('pages'),
  toolWith('pages', ({ last }) => ({ cursor: last.structuredContent.nextCursor })),
  tool('confirm'),
  tool('begin'),
  { method: 'tasks/get', params: ({ last }) => ({ taskId: last.task.taskId }) },
  { method: 'tasks/get', params: ({ last }) => ({ taskId: last.taskId }) },
  { method: 'tasks/get', params: ({ last }) => ({ taskId: last.taskId }) },
];

const THINKING = ['a', 'b'].map((thought, at) =>
  tool('sequentialthinking', { thought, nextThoughtNeeded: at === 0, thoughtNumber: at + 1, totalThoughts: 2 }),
);

const PLAYWRIGHT = [tool('browser_close')];

/** Of the servers in the catalogue, and a few more, by name. */
export const ACTS: Readonly<Record<string, readonly Act[]>> = {
  demo: DEMO,
  everything: EVERYTHING_SUBSCRIBES,
  filesystem: [
    toolWith('write_file', ({ folder }) => ({ path: join(folder, 'a.txt'), content: 'a' })),
    toolWith('list_directory', ({ folder }) => ({ path: folder })),
    toolWith('get_file_info', ({ folder }) => ({ path: join(folder, 'a.txt') })),
    tool('read_text_file', { path: '/etc/nothing' }),
  ],
  memory: [
    tool('read_graph'),
    tool('create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] }),
    tool('delete_entities', { entityNames: ['Ada'] }),
    tool('read_graph'),
  ],
  'sequential-thinking': THINKING,
  playwright: PLAYWRIGHT,
  shadcn: [tool('get_project_registries')],
  'modern-dual': MODERN_GROWS,
  'modern-reject': MODERN_GROWS,
  'demo, legacy': DEMO_LEGACY,
  'modern-dual, legacy': MODERN_LEGACY,
  ask: ASK,
  shop: SHOP,
  forms: [],
};

/** Of those that are reached by a URL. */
export const ACTS_OVER_HTTP: Readonly<Record<string, readonly Act[]>> = {
  everything: EVERYTHING,
  'everything-sse': EVERYTHING,
  playwright: PLAYWRIGHT,
  'playwright-sse': PLAYWRIGHT,
  'modern-dual': MODERN_ASKS,
  'modern-reject': MODERN_ASKS,
};
