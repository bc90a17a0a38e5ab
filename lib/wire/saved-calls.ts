import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LIMITS } from './limits';

/** Recent argument sets kept for a tool. */
export const RECENT_CALLS = 20;

/** Arguments saved under a name. */
export interface SavedCall {
  readonly name: string;
  /** JSON text as written; blank for none. */
  readonly text: string;
}

/** Arguments kept for a tool of a server. */
export interface KeptCalls {
  /** Oldest first. */
  readonly saved: readonly SavedCall[];
  /** Sent arguments, newest first. */
  readonly recent: readonly string[];
}

/** `GET /api/calls?key=…`, and the answer to each change. */
export interface CallsReply extends KeptCalls {
  /** False if sent arguments are not remembered for any tool. */
  readonly remembers: boolean;
  /** This run remembers no sent arguments (`--record off`). Saving by name still works. */
  readonly off?: true;
}

/** A change to the arguments kept for a tool, sent by `POST /api/calls`. */
export type CallChange =
  /** Adds sent arguments, or moves them to the front. */
  | { readonly kind: 'remember'; readonly text: string }
  /** Saves arguments under a name, replacing others of that name. */
  | { readonly kind: 'save'; readonly name: string; readonly text: string }
  | { readonly kind: 'remove'; readonly name: string }
  /** Deletes the recent arguments of the tool. */
  | { readonly kind: 'forget' }
  /** Switches remembering on or off for all tools. Deletes nothing. */
  | { readonly kind: 'remembers'; readonly on: boolean };

/**
 * Returns the key of a server's tool. The server chooses its name and the tool's, so the key is bounded and made
 * well-formed Unicode.
 */
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

/** Returns true for a valid change within bounds. */
export function isCallChange(value: unknown): value is CallChange {
  const kind = isObject(value) ? own(value, 'kind') : undefined;
  return isObject(value) && typeof kind === 'string' && Object.hasOwn(READ, kind) && READ[kind as keyof Changes](value);
}

/** Reads stored calls and leaves out invalid ones. */
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
