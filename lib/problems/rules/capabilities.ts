import type { Direction } from '@/lib/wire/frame';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { messageRule, type Rule } from '../rule';
import type { Session } from '../session';
import { quote } from '../words';

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
function lacking(session: Session, direction: Direction, need: Need | undefined): string | undefined {
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
