import type { Direction } from '@/lib/wire/frame';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';

/** The versions that have something; both ends included, no `until` means still there. */
interface Span {
  readonly since: ProtocolVersion;
  readonly until?: ProtocolVersion;
}

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
}

const ALWAYS: Span = { since: '2024-11-05' };
const LEGACY: Span = { since: '2024-11-05', until: '2025-11-25' };
const MODERN: Span = { since: '2026-07-28' };
/** The experiments of one revision. */
const ONLY_2025_11: Span = { since: '2025-11-25', until: '2025-11-25' };

const TOOLS_CHANGED = 'notifications/tools/list_changed';
const PROMPTS_CHANGED = 'notifications/prompts/list_changed';
const RESOURCES_CHANGED = 'notifications/resources/list_changed';

const REQUESTS: Readonly<Record<string, Omit<MethodRow, 'kind'>>> = {
  initialize: { toServer: LEGACY, cancellable: false },
  'server/discover': { toServer: MODERN },
  ping: { toServer: LEGACY, toClient: LEGACY },
  'tools/list': {
    toServer: ALWAYS,
    listing: { items: 'tools', capability: 'tools', changed: TOOLS_CHANGED },
  },
  'tools/call': { toServer: ALWAYS, progress: true },
  'prompts/list': {
    toServer: ALWAYS,
    listing: { items: 'prompts', capability: 'prompts', changed: PROMPTS_CHANGED },
  },
  'prompts/get': { toServer: ALWAYS, progress: true },
  'resources/list': {
    toServer: ALWAYS,
    listing: { items: 'resources', capability: 'resources', changed: RESOURCES_CHANGED },
  },
  'resources/templates/list': {
    toServer: ALWAYS,
    listing: { items: 'resourceTemplates', capability: 'resources', changed: RESOURCES_CHANGED },
  },
  'resources/read': { toServer: ALWAYS, progress: true },
  'resources/subscribe': { toServer: LEGACY },
  'resources/unsubscribe': { toServer: LEGACY },
  'subscriptions/listen': { toServer: MODERN, endless: true },
  'completion/complete': { toServer: ALWAYS },
  'logging/setLevel': { toServer: LEGACY },
  'tasks/get': { toServer: ONLY_2025_11, toClient: ONLY_2025_11 },
  'tasks/result': { toServer: ONLY_2025_11, toClient: ONLY_2025_11 },
  'tasks/list': { toServer: ONLY_2025_11, toClient: ONLY_2025_11 },
  'tasks/cancel': { toServer: ONLY_2025_11, toClient: ONLY_2025_11 },
  'sampling/createMessage': { toClient: LEGACY },
  'roots/list': { toClient: LEGACY },
  'elicitation/create': { toClient: { since: '2025-06-18', until: '2025-11-25' } },
};

const NOTIFICATIONS: Readonly<Record<string, Omit<MethodRow, 'kind'>>> = {
  'notifications/initialized': { toServer: LEGACY },
  'notifications/cancelled': { toServer: ALWAYS, toClient: ALWAYS },
  'notifications/progress': { toServer: LEGACY, toClient: ALWAYS },
  'notifications/roots/list_changed': { toServer: LEGACY },
  'notifications/message': { toClient: ALWAYS },
  'notifications/resources/updated': { toClient: ALWAYS },
  [TOOLS_CHANGED]: { toClient: ALWAYS },
  [PROMPTS_CHANGED]: { toClient: ALWAYS },
  [RESOURCES_CHANGED]: { toClient: ALWAYS },
  'notifications/subscriptions/acknowledged': { toClient: MODERN },
  'notifications/tasks/status': { toServer: ONLY_2025_11, toClient: ONLY_2025_11 },
  'notifications/elicitation/complete': { toClient: ONLY_2025_11 },
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
export function knows(version: ProtocolVersion, method: string, direction: Direction): boolean {
  const row = METHODS.get(method);
  const span = direction === 'to-server' ? row?.toServer : row?.toClient;
  return span !== undefined && version >= span.since && (span.until === undefined || version <= span.until);
}

function rowsOf(kind: MethodRow['kind'], rows: Readonly<Record<string, Omit<MethodRow, 'kind'>>>) {
  return Object.entries(rows).map(([method, row]): [string, MethodRow] => [method, { kind, ...row }]);
}
