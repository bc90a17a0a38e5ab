import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { FaultPath } from '@/lib/protocol/checks';
import { extensionOf } from '@/lib/protocol/methods';
import { ALWAYS, isInVersion, ONLY_2025_11, type VersionSpan } from '@/lib/protocol/rows';
import { declares } from '@/lib/wire/declares';
import { type Direction, OPPOSITE } from '@/lib/wire/frame';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { EXTENSION, META_KEY } from '@/lib/wire/protocol-names';
import type { ProtocolState, SeenMessage } from '../protocol-state';
import { messageRule, type ProtocolRule, quote, type RuleFinding } from '../rule';
import { inputRequestsIn } from './input-requests';
import { samplingIn } from './sampling';

/** A capability that its receiver must have declared before a request is sent. */
interface Need {
  readonly capability: readonly string[];
  readonly in: VersionSpan;
  /** The param that needs it. Without it, the method does. */
  readonly param?: string;
  /** Returns true if these params need it. Without it, all do. */
  readonly when?: (params: JsonObject, declared: JsonObject) => boolean;
}

const needs = (...capability: string[]): Need => ({ capability, in: ALWAYS });
const hasTask = (params: JsonObject): boolean => own(params, 'task') !== undefined;
const asTask = (...capability: string[]): Need => ({
  capability: ['tasks', 'requests', ...capability],
  in: ONLY_2025_11,
  param: 'task',
  when: hasTask,
});
const forTasks = (...capability: string[]): Need => ({ capability: ['tasks', ...capability], in: ONLY_2025_11 });
const SINCE_2025_11: VersionSpan = { since: '2025-11-25' };
const withTools = (param: string): Need => ({
  capability: ['sampling', 'tools'],
  in: SINCE_2025_11,
  param,
  when: (params) => own(params, param) !== undefined,
});

/** Needs by method. The first one that is not met is reported. */
const NEEDS: ReadonlyMap<string, readonly Need[]> = new Map([
  ['tools/list', [needs('tools')]],
  ['tools/call', [needs('tools'), asTask('tools', 'call')]],
  ['prompts/list', [needs('prompts')]],
  ['prompts/get', [needs('prompts')]],
  ['resources/list', [needs('resources')]],
  ['resources/templates/list', [needs('resources')]],
  ['resources/read', [needs('resources')]],
  ['resources/subscribe', [needs('resources', 'subscribe')]],
  ['resources/unsubscribe', [needs('resources', 'subscribe')]],
  ['logging/setLevel', [needs('logging')]],
  ['completion/complete', [{ capability: ['completions'], in: { since: '2025-03-26' } }]],
  ['tasks/get', [forTasks()]],
  ['tasks/result', [forTasks()]],
  ['tasks/list', [forTasks('list')]],
  ['tasks/cancel', [forTasks('cancel')]],
  ['roots/list', [needs('roots')]],
  [
    'sampling/createMessage',
    [needs('sampling'), withTools('tools'), withTools('toolChoice'), asTask('sampling', 'createMessage')],
  ],
  [
    'elicitation/create',
    [
      needs('elicitation'),
      {
        capability: ['elicitation', 'url'],
        in: SINCE_2025_11,
        param: 'mode',
        when: (params) => own(params, 'mode') === 'url',
      },
      {
        capability: ['elicitation', 'form'],
        in: SINCE_2025_11,
        param: 'mode',
        // A capability without modes means forms.
        when: (params, declared) => own(params, 'mode') !== 'url' && declares(declared, ['elicitation', 'url']),
      },
      asTask('elicitation', 'create'),
    ],
  ],
]);

/** Requests whose capability the client declares. `tasks/*` go both ways; the server declares all others. */
const OF_CLIENT: ReadonlySet<string> = new Set(['roots/list', 'sampling/createMessage', 'elicitation/create']);

/** Returns the first need of a request that the capabilities of its receiver do not meet. */
function unmetNeed(method: string, params: JsonObject, declared: JsonObject, version: ProtocolVersion) {
  return NEEDS.get(method)?.find(
    ({ capability, in: span, when }) =>
      isInVersion(span, version) && (when?.(params, declared) ?? true) && !declares(declared, capability),
  );
}

/** Returns the capabilities that a modern client declares in the `_meta` of a request. */
function capabilitiesIn(params: JsonObject): JsonObject | undefined {
  const meta = own(params, '_meta');
  const capabilities = isObject(meta) ? own(meta, META_KEY.clientCapabilities) : undefined;
  return isObject(capabilities) ? capabilities : undefined;
}

const DECLARES_TASKS = ['extensions', EXTENSION.tasks] as const;

/** Returns whose declaration of an extension is missing for its method. */
function undeclaredExtension(
  { method, version, params, direction }: SeenMessage,
  { serverCapabilities }: ProtocolState,
): string | undefined {
  const extension = version && extensionOf(version, method);
  if (extension === undefined || direction !== 'to-server') return undefined;
  const isLacking = (capabilities: JsonObject | undefined) =>
    capabilities !== undefined && !declares(capabilities, ['extensions', extension]);
  // Only the server declares the extension for skills.
  const declaredByClient = extension === EXTENSION.skills ? undefined : capabilitiesIn(params);
  const who = isLacking(serverCapabilities) ? 'server' : isLacking(declaredByClient) ? 'client' : undefined;
  return who && `${quote(method)} needs the extension ${extension}, which the ${who} did not declare.`;
}

/** Returns the capabilities that the receiver of a message has declared; undefined if they are unknown. */
function receiverCapabilities(direction: Direction, state: ProtocolState): JsonObject | undefined {
  return direction === 'to-server' ? state.serverCapabilities : state.clientCapabilities;
}

interface NotificationNeed {
  readonly direction: Direction;
  readonly capability: readonly string[];
}

const byServer = (...capability: string[]): NotificationNeed => ({ direction: 'to-client', capability });
const byClient = (...capability: string[]): NotificationNeed => ({ direction: 'to-server', capability });

/** Capabilities that the sender of a notification must have declared. */
const NOTIFICATIONS: ReadonlyMap<string, NotificationNeed> = new Map([
  ['notifications/message', byServer('logging')],
  ['notifications/tools/list_changed', byServer('tools', 'listChanged')],
  ['notifications/prompts/list_changed', byServer('prompts', 'listChanged')],
  ['notifications/resources/list_changed', byServer('resources', 'listChanged')],
  ['notifications/resources/updated', byServer('resources', 'subscribe')],
  ['notifications/roots/list_changed', byClient('roots', 'listChanged')],
]);

function findingOf(method: string, params: JsonObject, { param, capability }: Need, at: FaultPath): RuleFinding {
  const what = param === undefined ? quote(method) : `${quote(method)} with ${param}`;
  const isThere = param !== undefined && own(params, param) !== undefined;
  return {
    message: `${what} needs ${capabilityName(capability)}`,
    path: param === undefined ? [...at, 'method'] : [...at, 'params', ...(isThere ? [param] : [])],
  };
}

/** Formats the words after "needs". */
function capabilityName(capability: readonly string[]): string {
  return `the capability ${capability.join('.')}, which was not declared.`;
}

/** Rules about capabilities: only declared ones may be used. */
export const CAPABILITY_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'capability-undeclared',
      kinds: ['request'],
      severity: 'error',
      title: 'Request without the needed capability',
      topic: 'lifecycle',
      advice: 'Check that the capability was declared before you send the request, or declare it.',
    },
    (seen, state, report) => {
      const { method, direction, version, params } = seen;
      if (version === undefined) return;
      const extension = undeclaredExtension(seen, state);
      if (extension) return report({ message: extension, path: ['method'] });
      // Another rule reports methods that are sent in the wrong direction.
      if (OF_CLIENT.has(method) !== (direction === 'to-client') && !method.startsWith('tasks/')) return;
      const declared = receiverCapabilities(direction, state);
      const need = declared && unmetNeed(method, params, declared, version);
      if (need) report(findingOf(method, params, need, []));
    },
  ),
  messageRule(
    {
      id: 'input-undeclared',
      kinds: ['response'],
      severity: 'error',
      title: 'Input request without the needed capability',
      topic: 'input',
      advice: 'Ask only for input that the request declares in clientCapabilities. Else answer with error −32021.',
    },
    (seen, _state, report) => {
      const { request } = seen;
      const declared = request && capabilitiesIn(request.params);
      if (!declared) return;
      for (const { method, params, path } of inputRequestsIn(seen)) {
        // Another rule reports other methods.
        const need = OF_CLIENT.has(method) ? unmetNeed(method, params, declared, seen.version!) : undefined;
        if (need) report({ ...findingOf(method, params, need, path), seqs: [request.seq] });
      }
    },
  ),
  messageRule(
    {
      id: 'context-undeclared',
      kinds: ['request', 'response'],
      severity: 'warning',
      title: 'Context that the client does not offer',
      topic: 'sampling',
      advice: 'Leave includeContext out, unless the client declares sampling.context.',
    },
    (seen, state, report) => {
      if (seen.version === undefined || seen.version < '2025-11-25') return;
      const declared = seen.request ? capabilitiesIn(seen.request.params) : state.clientCapabilities;
      if (!declared || declares(declared, ['sampling', 'context'])) return;
      for (const { params, path } of samplingIn(seen)) {
        const context = own(params, 'includeContext');
        if (context !== 'thisServer' && context !== 'allServers') continue;
        report({
          message: `includeContext is ${quote(context)}, but the client does not declare sampling.context.`,
          path: [...path, 'params', 'includeContext'],
        });
      }
    },
  ),
  messageRule(
    {
      id: 'task-undeclared',
      kinds: ['response'],
      severity: 'error',
      title: 'Task for a client without the tasks extension',
      topic: 'lifecycle',
      advice: 'Return the result itself if the request does not declare the extension. Else answer with error −32021.',
    },
    ({ body, modern, request }, _state, report) => {
      const result = own(body, 'result');
      const declared = request && capabilitiesIn(request.params);
      if (!modern || !declared || !isObject(result) || own(result, 'resultType') !== 'task') return;
      if (declares(declared, DECLARES_TASKS)) return;
      report({
        message: `The request does not declare ${EXTENSION.tasks}.`,
        path: ['result', 'resultType'],
        seqs: [request.seq],
      });
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
      const need = NOTIFICATIONS.get(method);
      if (version === undefined || need?.direction !== direction) return;
      const declared = receiverCapabilities(OPPOSITE[direction], state);
      if (!declared || declares(declared, need.capability)) return;
      report({ message: `${quote(method)} needs ${capabilityName(need.capability)}`, path: ['method'] });
    },
  ),
];
