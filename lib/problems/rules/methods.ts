import { isObject, type JsonObject, own } from '@/lib/json/value';
import { hasMethod, METHODS } from '@/lib/protocol/methods';
import type { Direction } from '@/lib/wire/frame';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import type { ProtocolState, SeenMessage } from '../protocol-state';
import { messageRule, quote, type Rule, senderName } from '../rule';

const OTHER: Readonly<Record<Direction, Direction>> = { 'to-server': 'to-client', 'to-client': 'to-server' };

/** True for messages whose method could be wrong: extensions may define methods of their own, and change those of earlier versions. */
function isJudged({ kind, version }: SeenMessage, session: ProtocolState): boolean {
  if (kind !== 'request' && kind !== 'notification') return false;
  const extended = [session.clientCapabilities, session.serverCapabilities].some(
    (capabilities) => capabilities !== undefined && own(capabilities, 'extensions') !== undefined,
  );
  return version !== undefined && !extended;
}

/** Who may send which method, and when. */
export const METHOD_RULES: readonly Rule[] = [
  messageRule(
    {
      id: 'method-not-in-version',
      kinds: ['request', 'notification'],
      severity: 'error',
      title: 'A method that this version does not have',
      topic: 'messages',
      advice: 'Send only methods of the version that was agreed on.',
    },
    (seen, session, report) => {
      const { method, version, direction } = seen;
      const row = METHODS.get(method);
      if (!row || !isJudged(seen, session) || method === 'initialize' || method === 'server/discover') return;
      if (hasMethod(version!, method, 'to-server') || hasMethod(version!, method, 'to-client')) return;
      const versions = PROTOCOL_VERSIONS.filter((each) => hasMethod(each, method, direction));
      report({
        message: `${quote(method)} is no method of ${version}${versions.length > 0 ? `, only of ${versions.join(', ')}` : ''}.`,
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
      title: 'A method from the wrong side',
      topic: 'messages',
      advice: 'Send it from the other side, or not at all.',
    },
    (seen, session, report) => {
      const { method, version, direction } = seen;
      const row = METHODS.get(method);
      if (!row || !isJudged(seen, session)) return;
      if (hasMethod(version!, method, direction) || !hasMethod(version!, method, OTHER[direction])) return;
      report({
        message: `${quote(method)} is not for ${senderName(direction)} to send.`,
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
      title: 'A method of no version',
      topic: 'messages',
      advice: 'Check its spelling; if it is meant, declare the extension that it belongs to.',
    },
    (seen, session, report) => {
      if (!isJudged(seen, session) || METHODS.has(seen.method)) return;
      report({ message: `The specification has no method ${quote(seen.method)}.`, path: ['method'] });
    },
  ),
  messageRule(
    {
      id: 'request-without-id',
      kinds: ['notification'],
      severity: 'error',
      title: 'A request without an id',
      topic: 'messages',
      advice: 'Give it an id: without one nobody answers it.',
    },
    ({ kind, method }, _session, report) => {
      const row = METHODS.get(method);
      if (kind === 'notification' && row?.kind === 'request') {
        report({ message: `${quote(method)} has no id.`, path: ['id'], topic: row.page });
      }
    },
  ),
  messageRule(
    {
      id: 'before-initialized',
      kinds: ['request'],
      severity: 'warning',
      title: 'A request before the opening was over',
      topic: 'lifecycle',
      advice: 'Send nothing but ping until notifications/initialized has passed.',
    },
    ({ kind, method, direction, modern }, session, report) => {
      if (kind !== 'request' || method === 'ping' || method === 'initialize' || method === 'server/discover') return;
      // The client waits for the answer to initialize, the server for the notification after it.
      const open = direction === 'to-server' ? session.version !== undefined : session.initialized;
      const opening = session.opening;
      if (open || modern || session.modern || opening === undefined) return;
      report({ message: `${quote(method)} came before the opening was over.`, seqs: [opening] });
    },
  ),
  messageRule(
    {
      id: 'version-unknown',
      kinds: ['response'],
      severity: 'warning',
      title: 'A version that does not exist',
      topic: 'lifecycle',
      advice: `Answer initialize with one of ${PROTOCOL_VERSIONS.slice(0, -1).join(', ')}.`,
    },
    ({ kind, ask, body }, _session, report) => {
      if (kind !== 'response' || ask?.method !== 'initialize') return;
      const version = (own(body, 'result') as { protocolVersion?: unknown } | null)?.protocolVersion;
      // The first one was never released, but servers of the first days have it.
      if (typeof version !== 'string' || version === '2024-10-07') return;
      if (PROTOCOL_VERSIONS.some((known) => known === version)) return;
      report({ message: `The server chose ${quote(version)}.`, path: ['result', 'protocolVersion'], seqs: [ask.seq] });
    },
  ),
  messageRule(
    {
      id: 'cancel-initialize',
      kinds: ['notification'],
      severity: 'error',
      title: 'initialize cancelled',
      topic: 'cancellation',
      advice: 'Do not cancel initialize: end the connection instead.',
    },
    ({ kind, method, direction, params }, session, report) => {
      if (kind !== 'notification' || method !== 'notifications/cancelled') return;
      const ask = session.findRequest(direction, own(params, 'requestId'));
      if (ask?.method === 'initialize') report({ message: 'initialize must not be cancelled.', seqs: [ask.seq] });
    },
  ),
];

/** What has to be declared, from the capabilities down, before a method is sent; the other side's or one's own. */
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

/** The capability that is wanted and was not declared; undefined if all is well, or nothing is known. */
function lacking(session: ProtocolState, direction: Direction, need: Need | undefined): string | undefined {
  if (need?.direction !== direction) return undefined;
  const capabilities = session[need.whose];
  if (capabilities === undefined || declares(capabilities, need.path)) return undefined;
  return need.path.join('.');
}

function declares(capabilities: JsonObject, path: readonly string[]): boolean {
  let at: unknown = capabilities;
  for (const key of path) at = isObject(at) ? own(at, key) : undefined;
  return at !== undefined && at !== false && at !== null;
}

/** Nothing may be used that was not promised. */
export const CAPABILITIES: readonly Rule[] = [
  messageRule(
    {
      id: 'capability-undeclared',
      kinds: ['request'],
      severity: 'error',
      title: 'A request that the other side did not say it can answer',
      topic: 'lifecycle',
      advice: 'Look at the capabilities of the other side before asking, or declare the missing one there.',
    },
    ({ kind, method, direction, version }, session, report) => {
      if (kind !== 'request' || version === undefined) return;
      const lacks = lacking(session, direction, REQUESTS.get(method));
      if (lacks !== undefined) report({ message: `${quote(method)} needs the capability ${lacks}.`, path: ['method'] });
    },
  ),
  messageRule(
    {
      id: 'notification-undeclared',
      kinds: ['notification'],
      severity: 'warning',
      title: 'A notification without its capability',
      topic: 'lifecycle',
      advice: 'Declare the capability, or do not send the notification.',
    },
    ({ kind, method, direction, version }, session, report) => {
      if (kind !== 'notification' || version === undefined) return;
      const lacks = lacking(session, direction, NOTIFICATIONS.get(method));
      if (lacks !== undefined) report({ message: `${quote(method)} needs the capability ${lacks}.`, path: ['method'] });
    },
  ),
];
