import type { Direction } from '@/lib/wire/frame';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { ALWAYS, isInVersion, LEGACY, MODERN, ONLY_2025_11, type Span, type TypeText } from './rows';
import type { SpecTopic } from './spec-pages';

/** How a list is read. */
interface ListingRow {
  /** The result's member that holds the entries. */
  readonly items: 'tools' | 'prompts' | 'resources' | 'resourceTemplates';
  /** The server capability that promises it. */
  readonly capability: string;
  /** The notification that makes it stale. */
  readonly changed: string;
}

/** What the protocol says of one method. */
interface MethodRow {
  readonly kind: 'request' | 'notification';
  /** When clients may send it. */
  readonly toServer?: Span;
  /** When servers may send it. */
  readonly toClient?: Span;
  /** `false`: must not be called off with `notifications/cancelled`. */
  readonly cancellable?: false;
  /** May take long: we give it a progress token. */
  readonly progress?: true;
  /** Its answer comes when the subscription ends, so silence is no reason to give up. */
  readonly endless?: true;
  readonly listing?: ListingRow;
  /** Type of its params; unsaid, the least that every request or notification has. */
  readonly params?: TypeText;
  /** Its params must be there although none of their members must. */
  readonly needsParams?: true;
  /** Type of its result; unsaid, the least that every result has. */
  readonly result?: TypeText;
  /** Modern servers may answer that they want input first. */
  readonly asks?: true;
  /** Where the specification describes it. */
  readonly page: SpecTopic;
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

/** Every method of every version, by name. A new version costs rows here, not code elsewhere. */
export const METHODS: ReadonlyMap<string, MethodRow> = new Map([
  ...rowsOf('request', REQUESTS),
  ...rowsOf('notification', NOTIFICATIONS),
]);

/** The methods that read lists. */
export const LISTINGS: readonly (readonly [method: string, listing: ListingRow])[] = [...METHODS].flatMap(
  ([method, { listing }]) => (listing === undefined ? [] : [[method, listing] as const]),
);

/** True if `version` lets this method travel in this direction. */
export function hasMethod(version: ProtocolVersion, method: string, direction: Direction): boolean {
  const row = METHODS.get(method);
  const span = direction === 'to-server' ? row?.toServer : row?.toClient;
  return span !== undefined && isInVersion(span, version);
}

function rowsOf(kind: MethodRow['kind'], rows: Readonly<Record<string, Omit<MethodRow, 'kind'>>>) {
  return Object.entries(rows).map(([method, row]): [string, MethodRow] => [method, { kind, ...row }]);
}

/** What the protocol says of one error code. */
interface ErrorCodeRow extends Span {
  readonly name: string;
  /** Type that the error's `data` has to have. */
  readonly data?: TypeText;
}

/** Every code that a version gives a meaning. */
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

/** True for codes that 2026-07-28 keeps for the protocol itself. */
export function isReservedCode(code: number): boolean {
  return code <= -32020 && code >= -32099;
}
