import { isObject, type JsonObject, own } from '@/lib/json/value';
import { hasMethod, METHODS } from '@/lib/protocol/methods';
import { type Direction, OPPOSITE } from '@/lib/wire/frame';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import type { ProtocolState, SeenMessage } from '../protocol-state';
import { messageRule, quote, type Report, type Rule, senderName } from '../rule';

/** True if the method can be judged. Extensions may define methods and bring back earlier ones. */
function isJudged({ version }: SeenMessage, state: ProtocolState): boolean {
  const extended = [state.clientCapabilities, state.serverCapabilities].some(
    (capabilities) => capabilities !== undefined && own(capabilities, 'extensions') !== undefined,
  );
  return version !== undefined && !extended;
}

/** Rules about methods: who may send them, and when. */
export const METHOD_RULES: readonly Rule[] = [
  messageRule(
    {
      id: 'method-not-in-version',
      kinds: ['request', 'notification'],
      severity: 'error',
      title: 'Method not in this version',
      topic: 'messages',
      advice: 'Use only methods of the negotiated version.',
    },
    (seen, state, report) => {
      const { method, version, direction } = seen;
      const row = METHODS.get(method);
      if (!row || !isJudged(seen, state) || method === 'initialize' || method === 'server/discover') return;
      if (hasMethod(version!, method, 'to-server') || hasMethod(version!, method, 'to-client')) return;
      const versions = PROTOCOL_VERSIONS.filter((each) => hasMethod(each, method, direction));
      report({
        message: `${version} has no method ${quote(method)}.${versions.length > 0 ? ` Versions that have it: ${versions.join(', ')}.` : ''}`,
        path: ['method'],
        topic: row.page,
      });
    },
  ),
  messageRule(
    {
      id: 'method-direction',
      kinds: ['request', 'notification'],
      severity: 'error',
      title: 'Method sent by the wrong side',
      topic: 'messages',
      advice: 'Do not send this method. Only the other side may send it.',
    },
    (seen, state, report) => {
      const { method, version, direction } = seen;
      const row = METHODS.get(method);
      if (!row || !isJudged(seen, state)) return;
      if (hasMethod(version!, method, direction) || !hasMethod(version!, method, OPPOSITE[direction])) return;
      report({
        message: `${quote(method)} must not be sent by ${senderName(direction)}.`,
        path: ['method'],
        topic: row.page,
      });
    },
  ),
  messageRule(
    {
      id: 'method-unknown',
      kinds: ['request', 'notification'],
      severity: 'info',
      title: 'Unknown method',
      topic: 'messages',
      advice: 'Check the spelling. If it belongs to an extension, declare the extension.',
    },
    (seen, state, report) => {
      if (!isJudged(seen, state) || METHODS.has(seen.method)) return;
      report({ message: `The specification has no method ${quote(seen.method)}.`, path: ['method'] });
    },
  ),
  messageRule(
    {
      id: 'request-without-id',
      kinds: ['notification'],
      severity: 'error',
      title: 'Request without an id',
      topic: 'messages',
      advice: 'Add an id. Without one, the other side does not respond.',
    },
    ({ method }, _state, report) => {
      const row = METHODS.get(method);
      if (row?.kind === 'request') {
        report({ message: `${quote(method)} has no id.`, path: ['id'], topic: row.page });
      }
    },
  ),
  messageRule(
    {
      id: 'before-initialized',
      kinds: ['request'],
      severity: 'warning',
      title: 'Request before initialization finished',
      topic: 'lifecycle',
      advice: 'Send only ping until notifications/initialized has been sent.',
    },
    ({ method, direction, modern }, state, report) => {
      if (method === 'ping' || method === 'initialize' || method === 'server/discover') return;
      // The client must wait for the response to initialize, the server for the notification after it.
      const open = direction === 'to-server' ? state.version !== undefined : state.initialized;
      const opening = state.initializeSeq;
      if (open || modern || state.modern || opening === undefined) return;
      report({ message: `${quote(method)} was sent before initialization finished.`, seqs: [opening] });
    },
  ),
  messageRule(
    {
      id: 'version-unknown',
      kinds: ['response'],
      severity: 'warning',
      title: 'Unknown protocol version',
      topic: 'lifecycle',
      advice: `Answer initialize with one of ${PROTOCOL_VERSIONS.slice(0, -1).join(', ')}.`,
    },
    ({ request, body }, _state, report) => {
      if (request?.method !== 'initialize') return;
      const version = (own(body, 'result') as { protocolVersion?: unknown } | null)?.protocolVersion;
      // Early servers use this version, which was never released.
      if (typeof version !== 'string' || version === '2024-10-07') return;
      if (PROTOCOL_VERSIONS.some((known) => known === version)) return;
      report({
        message: `The server chose ${quote(version)}.`,
        path: ['result', 'protocolVersion'],
        seqs: [request.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'cancel-initialize',
      kinds: ['notification'],
      severity: 'error',
      title: 'Cancelled initialize',
      topic: 'cancellation',
      advice: 'Close the connection instead of cancelling initialize.',
    },
    ({ method, direction, params }, state, report) => {
      if (method !== 'notifications/cancelled') return;
      const request = state.findRequest(direction, own(params, 'requestId'));
      if (request?.method === 'initialize')
        report({ message: 'initialize must not be cancelled.', seqs: [request.seq] });
    },
  ),
];

/** The capability that must be declared before a method is sent, by the other side or by the sender. */
interface Need {
  readonly direction: Direction;
  readonly whose: 'clientCapabilities' | 'serverCapabilities';
  readonly path: readonly string[];
}

const ofServer = (...path: string[]): Need => ({ direction: 'to-server', whose: 'serverCapabilities', path });
const ofClient = (...path: string[]): Need => ({ direction: 'to-client', whose: 'clientCapabilities', path });
const byServer = (...path: string[]): Need => ({ direction: 'to-client', whose: 'serverCapabilities', path });
const byClient = (...path: string[]): Need => ({ direction: 'to-server', whose: 'clientCapabilities', path });

const REQUESTS: ReadonlyMap<string, Need> = new Map([
  ['tools/list', ofServer('tools')],
  ['tools/call', ofServer('tools')],
  ['prompts/list', ofServer('prompts')],
  ['prompts/get', ofServer('prompts')],
  ['resources/list', ofServer('resources')],
  ['resources/templates/list', ofServer('resources')],
  ['resources/read', ofServer('resources')],
  ['resources/subscribe', ofServer('resources', 'subscribe')],
  ['logging/setLevel', ofServer('logging')],
  ['sampling/createMessage', ofClient('sampling')],
  ['roots/list', ofClient('roots')],
  ['elicitation/create', ofClient('elicitation')],
]);

const NOTIFICATIONS: ReadonlyMap<string, Need> = new Map([
  ['notifications/message', byServer('logging')],
  ['notifications/tools/list_changed', byServer('tools', 'listChanged')],
  ['notifications/prompts/list_changed', byServer('prompts', 'listChanged')],
  ['notifications/resources/list_changed', byServer('resources', 'listChanged')],
  ['notifications/resources/updated', byServer('resources', 'subscribe')],
  ['notifications/roots/list_changed', byClient('roots', 'listChanged')],
]);

/** Returns the undeclared capability; undefined if it is declared or the capabilities are unknown. */
function lacking(state: ProtocolState, direction: Direction, need: Need | undefined): string | undefined {
  if (need?.direction !== direction) return undefined;
  const capabilities = state[need.whose];
  if (capabilities === undefined || declares(capabilities, need.path)) return undefined;
  return need.path.join('.');
}

function reportLacking(method: string, capability: string | undefined, report: Report): void {
  if (capability === undefined) return;
  report({ message: `${quote(method)} needs the capability ${capability}, which was not declared.`, path: ['method'] });
}

function declares(capabilities: JsonObject, path: readonly string[]): boolean {
  let at: unknown = capabilities;
  for (const key of path) at = isObject(at) ? own(at, key) : undefined;
  return at !== undefined && at !== false && at !== null;
}

/** Rules about capabilities: only declared ones may be used. */
export const CAPABILITY_RULES: readonly Rule[] = [
  messageRule(
    {
      id: 'capability-undeclared',
      kinds: ['request'],
      severity: 'error',
      title: 'Request without the needed capability',
      topic: 'lifecycle',
      advice: 'Check that the capability was declared before you send the request, or declare it.',
    },
    ({ method, direction, version }, state, report) => {
      if (version !== undefined) reportLacking(method, lacking(state, direction, REQUESTS.get(method)), report);
    },
  ),
  messageRule(
    {
      id: 'notification-undeclared',
      kinds: ['notification'],
      severity: 'warning',
      title: 'Notification without its capability',
      topic: 'lifecycle',
      advice: 'Declare the capability, or do not send the notification.',
    },
    ({ method, direction, version }, state, report) => {
      if (version !== undefined) reportLacking(method, lacking(state, direction, NOTIFICATIONS.get(method)), report);
    },
  ),
];
