import type { Direction } from '@/lib/wire/frame';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { ALWAYS, isInVersion, LEGACY, MODERN, ONLY_2025_11, type TypeText, type VersionSpan } from './rows';
import type { SpecTopic } from './spec-pages';

/** A method in all versions. */
interface MethodRow {
  readonly kind: 'request' | 'notification';
  /** Versions in which clients can send the method. */
  readonly toServer?: VersionSpan;
  /** Versions in which servers can send the method. */
  readonly toClient?: VersionSpan;
  /** `false` if `notifications/cancelled` must not cancel the request. */
  readonly cancellable?: false;
  /** The method can take long, so we send a progress token. */
  readonly progress?: true;
  /** The method is answered when the subscription ends, so it has no timeout. */
  readonly endless?: true;
  readonly listing?: ListingRow;
  /** Type of the params. Defaults to that of any request or notification. */
  readonly params?: TypeText;
  /** Params are required, although none of their members is required. */
  readonly needsParams?: true;
  /** Type of the result. Defaults to an empty result. */
  readonly result?: TypeText;
  /** Modern servers can ask for input first. */
  readonly asks?: true;
  /** Page of the specification. */
  readonly page: SpecTopic;
}

/** The list that a method reads. */
interface ListingRow {
  /** Member of the result with the entries. */
  readonly items: 'tools' | 'prompts' | 'resources' | 'resourceTemplates';
  /** Server capability that declares the list. */
  readonly capability: 'tools' | 'prompts' | 'resources';
  /** Notification that invalidates the list. */
  readonly changed: string;
}

const TOOLS_CHANGED = 'notifications/tools/list_changed';
const PROMPTS_CHANGED = 'notifications/prompts/list_changed';
const RESOURCES_CHANGED = 'notifications/resources/list_changed';

const REQUESTS: Readonly<Record<string, Omit<MethodRow, 'kind'>>> = {
  initialize: {
    toServer: LEGACY,
    cancellable: false,
    params: 'InitializeParams',
    result: 'InitializeResult',
    page: 'lifecycle',
  },
  'server/discover': { toServer: MODERN, result: 'DiscoverResult', page: 'discover' },
  ping: { toServer: LEGACY, toClient: LEGACY, page: 'ping' },
  'tools/list': {
    toServer: ALWAYS,
    params: 'PaginatedParams',
    result: 'ListToolsResult',
    page: 'tools',
    listing: { items: 'tools', capability: 'tools', changed: TOOLS_CHANGED },
  },
  'tools/call': {
    toServer: ALWAYS,
    progress: true,
    params: 'CallToolParams',
    result: 'CallToolResult',
    asks: true,
    page: 'tools',
  },
  'prompts/list': {
    toServer: ALWAYS,
    params: 'PaginatedParams',
    result: 'ListPromptsResult',
    page: 'prompts',
    listing: { items: 'prompts', capability: 'prompts', changed: PROMPTS_CHANGED },
  },
  'prompts/get': {
    toServer: ALWAYS,
    progress: true,
    params: 'GetPromptParams',
    result: 'GetPromptResult',
    asks: true,
    page: 'prompts',
  },
  'resources/list': {
    toServer: ALWAYS,
    params: 'PaginatedParams',
    result: 'ListResourcesResult',
    page: 'resources',
    listing: { items: 'resources', capability: 'resources', changed: RESOURCES_CHANGED },
  },
  'resources/templates/list': {
    toServer: ALWAYS,
    params: 'PaginatedParams',
    result: 'ListResourceTemplatesResult',
    page: 'resources',
    listing: { items: 'resourceTemplates', capability: 'resources', changed: RESOURCES_CHANGED },
  },
  'resources/read': {
    toServer: ALWAYS,
    progress: true,
    params: 'ReadResourceParams',
    result: 'ReadResourceResult',
    asks: true,
    page: 'resources',
  },
  'resources/subscribe': { toServer: LEGACY, params: 'ResourceParams', page: 'resources' },
  'resources/unsubscribe': { toServer: LEGACY, params: 'ResourceParams', page: 'resources' },
  'subscriptions/listen': {
    toServer: MODERN,
    endless: true,
    params: 'ListenParams',
    result: 'ListenResult',
    page: 'subscriptions',
  },
  'completion/complete': {
    toServer: ALWAYS,
    params: 'CompleteParams',
    result: 'CompleteResult',
    page: 'completion',
  },
  'logging/setLevel': { toServer: LEGACY, params: 'SetLevelParams', page: 'logging' },
  'tasks/get': {
    toServer: ONLY_2025_11,
    toClient: ONLY_2025_11,
    params: 'TaskParams',
    result: 'TaskResult',
    page: 'tasks',
  },
  'tasks/result': {
    toServer: ONLY_2025_11,
    toClient: ONLY_2025_11,
    params: 'TaskParams',
    page: 'tasks',
  },
  'tasks/list': {
    toServer: ONLY_2025_11,
    toClient: ONLY_2025_11,
    params: 'PaginatedParams',
    result: 'ListTasksResult',
    page: 'tasks',
  },
  'tasks/cancel': {
    toServer: ONLY_2025_11,
    toClient: ONLY_2025_11,
    params: 'TaskParams',
    result: 'TaskResult',
    page: 'tasks',
  },
  'sampling/createMessage': {
    toClient: LEGACY,
    params: 'CreateMessageParams',
    result: 'CreateMessageResult',
    page: 'sampling',
  },
  'roots/list': { toClient: LEGACY, params: 'RootsParams', result: 'ListRootsResult', page: 'roots' },
  'elicitation/create': {
    toClient: { since: '2025-06-18', until: '2025-11-25' },
    params: 'ElicitParams',
    result: 'ElicitResult',
    page: 'elicitation',
  },
};

const NOTIFICATIONS: Readonly<Record<string, Omit<MethodRow, 'kind'>>> = {
  'notifications/initialized': { toServer: LEGACY, page: 'lifecycle' },
  'notifications/cancelled': {
    toServer: ALWAYS,
    toClient: ALWAYS,
    params: 'CancelledParams',
    needsParams: true,
    page: 'cancellation',
  },
  'notifications/progress': {
    toServer: LEGACY,
    toClient: ALWAYS,
    params: 'ProgressParams',
    page: 'progress',
  },
  'notifications/roots/list_changed': { toServer: LEGACY, page: 'roots' },
  'notifications/message': { toClient: ALWAYS, params: 'LogParams', page: 'logging' },
  'notifications/resources/updated': { toClient: ALWAYS, params: 'ResourceUpdatedParams', page: 'resources' },
  [TOOLS_CHANGED]: { toClient: ALWAYS, page: 'tools' },
  [PROMPTS_CHANGED]: { toClient: ALWAYS, page: 'prompts' },
  [RESOURCES_CHANGED]: { toClient: ALWAYS, page: 'resources' },
  'notifications/subscriptions/acknowledged': {
    toClient: MODERN,
    params: 'AcknowledgedParams',
    page: 'subscriptions',
  },
  'notifications/tasks/status': {
    toServer: ONLY_2025_11,
    toClient: ONLY_2025_11,
    params: 'TaskStatusParams',
    page: 'tasks',
  },
  'notifications/elicitation/complete': {
    toClient: ONLY_2025_11,
    params: 'ElicitationCompleteParams',
    page: 'elicitation',
  },
};

/** Every method of every version, by name. A new version adds rows here and no code elsewhere. */
export const METHODS: ReadonlyMap<string, MethodRow> = new Map([
  ...rowsOf('request', REQUESTS),
  ...rowsOf('notification', NOTIFICATIONS),
]);

/** Methods that read lists. */
export const LISTINGS: readonly (readonly [method: string, listing: ListingRow])[] = [...METHODS].flatMap(
  ([method, { listing }]) => (listing === undefined ? [] : [[method, listing] as const]),
);

/** Returns true if `version` has this method in this direction. */
export function hasMethod(version: ProtocolVersion, method: string, direction: Direction): boolean {
  const row = METHODS.get(method);
  const span = direction === 'to-server' ? row?.toServer : row?.toClient;
  return span !== undefined && isInVersion(span, version);
}

/** An official extension that defines methods. */
interface ExtensionRow extends VersionSpan {
  readonly name: string;
  readonly methods: readonly string[];
}

const EXTENSIONS: readonly ExtensionRow[] = [
  { ...MODERN, name: EXTENSION.tasks, methods: ['tasks/get', 'tasks/update', 'tasks/cancel', 'notifications/tasks'] },
  // The official SDK serves it in the legacy era too.
  {
    since: '2025-11-25',
    name: EXTENSION.skills,
    methods: ['skills/list', 'skills/get', 'resources/directory/read'],
  },
];

/** Returns the extension that defines a method in this version; undefined if none that we know does. */
export function extensionOf(version: ProtocolVersion, method: string): string | undefined {
  return EXTENSIONS.find((row) => isInVersion(row, version) && row.methods.includes(method))?.name;
}

function rowsOf(kind: MethodRow['kind'], rows: Readonly<Record<string, Omit<MethodRow, 'kind'>>>) {
  return Object.entries(rows).map(([method, row]): [string, MethodRow] => [method, { kind, ...row }]);
}

/** An error code in all versions. */
interface ErrorCodeRow extends VersionSpan {
  readonly name: string;
  /** Required type of the error's `data`. */
  readonly data?: TypeText;
}

/** Error codes with a meaning in some version. */
export const ERROR_CODES: ReadonlyMap<number, ErrorCodeRow> = new Map<number, ErrorCodeRow>([
  [-32700, { ...ALWAYS, name: 'ParseError' }],
  [-32600, { ...ALWAYS, name: 'InvalidRequest' }],
  [-32601, { ...ALWAYS, name: 'MethodNotFound' }],
  [-32602, { ...ALWAYS, name: 'InvalidParams' }],
  [-32603, { ...ALWAYS, name: 'InternalError' }],
  [-32002, { ...LEGACY, name: 'ResourceNotFound' }],
  [-32042, { ...ONLY_2025_11, name: 'UrlElicitationRequired', data: 'UrlElicitationData' }],
  [-32020, { ...MODERN, name: 'HeaderMismatch' }],
  [-32021, { ...MODERN, name: 'MissingRequiredClientCapability', data: 'MissingCapabilityData' }],
  [-32022, { ...MODERN, name: 'UnsupportedProtocolVersion', data: 'UnsupportedVersionData' }],
]);

/** Returns true for codes that 2026-07-28 reserves for the protocol. */
export function isReservedCode(code: number): boolean {
  return code <= -32020 && code >= -32099;
}
