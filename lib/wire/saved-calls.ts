import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LIMITS } from './limits';

/** Argument sets that are remembered of a tool, and saved by name. */
export const RECENT_CALLS = 20;

/** Arguments under a name. */
export interface SavedCall {
  readonly name: string;
  /** JSON text as it was; blank for none. */
  readonly text: string;
}

/** Calls kept for one tool of one server. */
export interface KeptCalls {
  /** In the order they were saved. */
  readonly saved: readonly SavedCall[];
  /** Argument texts that were sent, newest first. */
  readonly recent: readonly string[];
}

/** `GET /api/calls?key=…`, and the answer to each change. */
export interface CallsReply extends KeptCalls {
  /** False: arguments that are sent are not remembered, for no tool. */
  readonly remembers: boolean;
  /** Nothing of this run is remembered (`--no-record`). What is saved by name is kept. */
  readonly off?: true;
}

/** One change to what is kept for a tool: a member of `POST /api/calls`. */
export type CallChange =
  /** Arguments that were sent: those that were sent before move to the front. */
  | { readonly kind: 'remember'; readonly text: string }
  /** Arguments under a name, in place of what had it. */
  | { readonly kind: 'save'; readonly name: string; readonly text: string }
  | { readonly kind: 'remove'; readonly name: string }
  /** Forgets the recent arguments of the tool. */
  | { readonly kind: 'forget' }
  /** Switches remembering on or off for all tools. What was remembered so far stays. */
  | { readonly kind: 'remembers'; readonly on: boolean };

/** Returns the key of a server's tool. The server chooses both names, so the key is bounded and well-formed Unicode. */
export function callsKey(server: string, tool: string): string {
  return `${server} ${tool}`.slice(0, LIMITS.callKeyChars).toWellFormed();
}

export const NO_CALLS: CallsReply = { saved: [], recent: [], remembers: true };

type Changes = { readonly [K in CallChange['kind']]: Extract<CallChange, { kind: K }> };

const APPLY: { readonly [K in keyof Changes]: (calls: CallsReply, change: Changes[K]) => Partial<CallsReply> } = {
  remember: ({ recent, remembers, off }, { text }) =>
    remembers && !off ? { recent: [text, ...recent.filter((other) => other !== text)].slice(0, RECENT_CALLS) } : {},
  save: ({ saved }, { name, text }) => ({ saved: [...saved.filter((call) => call.name !== name), { name, text }] }),
  remove: ({ saved }, { name }) => ({ saved: saved.filter((call) => call.name !== name) }),
  forget: () => ({ recent: [] }),
  remembers: (_, { on }) => ({ remembers: on }),
};

/** Returns the calls after a change. The page shows them before the storage has answered. */
export function applyCallChange<K extends keyof Changes>(
  calls: CallsReply,
  change: Changes[K] & { kind: K },
): CallsReply {
  return { ...calls, ...APPLY[change.kind](calls, change) };
}

const READ: { readonly [K in keyof Changes]: (change: JsonObject) => boolean } = {
  remember: (change) => isText(own(change, 'text'), LIMITS.keptCallChars),
  save: (change) => isName(own(change, 'name')) && isText(own(change, 'text'), LIMITS.keptCallChars),
  remove: (change) => isName(own(change, 'name')),
  forget: () => true,
  remembers: (change) => typeof own(change, 'on') === 'boolean',
};

/** True for a change that is within bounds. */
export function isCallChange(value: unknown): value is CallChange {
  const kind = isObject(value) ? own(value, 'kind') : undefined;
  return isObject(value) && typeof kind === 'string' && Object.hasOwn(READ, kind) && READ[kind as keyof Changes](value);
}

/** Calls as they were written down; what makes no sense in it is left out. */
export function readKeptCalls(value: unknown): KeptCalls {
  const list = (name: string): readonly unknown[] => {
    const found = isObject(value) ? own(value, name) : undefined;
    return Array.isArray(found) ? found : [];
  };
  return {
    saved: list('saved').filter(isSavedCall).slice(0, LIMITS.savedCalls),
    recent: list('recent')
      .filter((text) => isText(text, LIMITS.keptCallChars))
      .slice(0, RECENT_CALLS),
  };
}

function isSavedCall(value: unknown): value is SavedCall {
  return isObject(value) && isName(own(value, 'name')) && isText(own(value, 'text'), LIMITS.keptCallChars);
}

function isName(value: unknown): value is string {
  return isText(value, LIMITS.savedCallNameChars) && value !== '';
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}
