import { join } from 'node:path';

/** The members of results that later requests use. */
export interface Result {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: { readonly nextCursor: string };
}

/** Values for the params of later requests: the previous result, and the trip's folder. */
interface Progress {
  readonly last: Result;
  readonly folder: string;
}

/** A request to make. */
export interface Act {
  readonly method: string;
  readonly params?: object | ((progress: Progress) => object);
  /** Cancels it at its first progress. */
  readonly cancelled?: true;
  /** Text that the server must also send before this request counts as done. */
  readonly awaits?: string;
}

/** Answers to servers' requests, by method. */
export const ANSWERS: Readonly<Record<string, object>> = {
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'Sampled.' } },
  'elicitation/create': { action: 'accept', content: { n: 7 } },
  'roots/list': { roots: [] },
};

const tool = (name: string, args: object = {}): Act => ({ method: 'tools/call', params: { name, arguments: args } });
const toolWith = (name: string, args: (progress: Progress) => object): Act => ({
  method: 'tools/call',
  params: (progress: Progress) => ({ name, arguments: args(progress) }),
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
  // It asks for roots a while after the handshake and logs that, during any of these calls, even the cancelled one.
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
/** Only over stdio: the server's log message about it contains the session id, which is a secret over HTTP. */
const EVERYTHING_SUBSCRIBES: readonly Act[] = [
  { method: 'resources/subscribe', params: { uri: 'demo://resource/dynamic/text/1' } },
  ...EVERYTHING,
];

/** Requests that the modern server answers without asking for input. */
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
/** Switches logs off before the cancelled call, because a log message may or may not arrive while it is cancelled. */
const MODERN_LEGACY = [...MODERN, { method: 'logging/setLevel', params: { level: 'error' } }, COUNTS_ON];
/** The server asks for input in the modern era only. `grow` works over stdio only: over HTTP it forgets added tools. */
const MODERN_ASKS = [...MODERN, COUNTS_ON, tool('ask')];
const MODERN_GROWS = [...MODERN_ASKS, { ...tool('grow'), awaits: 'notifications/tools/list_changed' }];

const ASK = ['kinds', 'choices', 'nothing', 'done', 'sample', 'roots', 'withdraw'].map((name) => tool(name));

/** Later requests use the ids of orders and pages that the server made up. */
const SHOP: readonly Act[] = [
  tool('order', { item: 'tea' }),
  toolWith('status', ({ last }) => ({ order: JSON.parse(last.content[0]!.text).order })),
  tool('pages'),
  toolWith('pages', ({ last }) => ({ cursor: last.structuredContent.nextCursor })),
  tool('confirm'),
  // A task, which mcp-inspect follows to its end.
  tool('begin'),
];

const THINKING = ['a', 'b'].map((thought, at) =>
  tool('sequentialthinking', { thought, nextThoughtNeeded: at === 0, thoughtNumber: at + 1, totalThoughts: 2 }),
);

const PLAYWRIGHT = [tool('browser_close')];

/** Requests by server: those of the catalogue, and a few more. */
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

/** Requests by server, for those reached by a URL. */
export const ACTS_OVER_HTTP: Readonly<Record<string, readonly Act[]>> = {
  everything: EVERYTHING,
  'everything-sse': EVERYTHING,
  playwright: PLAYWRIGHT,
  'playwright-sse': PLAYWRIGHT,
  'modern-dual': MODERN_ASKS,
  'modern-reject': MODERN_ASKS,
};
