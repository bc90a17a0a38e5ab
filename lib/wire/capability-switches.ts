import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ALL_CAPABILITIES, type ClientCapabilities } from './client-capabilities';
import { EXTENSION } from './protocol-names';

/** The place of a capability among all, such as `['sampling', 'tools']`. */
export type CapabilityPath = readonly string[];

/** The capabilities that can be switched one by one, each after the one that it is a part of. */
const KNOWN: readonly CapabilityPath[] = [
  ['sampling'],
  ['sampling', 'tools'],
  ['sampling', 'context'],
  ['elicitation'],
  ['elicitation', 'form'],
  ['elicitation', 'url'],
  ['roots'],
  ['tasks'],
  ['tasks', 'list'],
  ['tasks', 'cancel'],
  ['tasks', 'requests', 'sampling', 'createMessage'],
  ['tasks', 'requests', 'elicitation', 'create'],
  ['extensions', EXTENSION.tasks],
  ['extensions', EXTENSION.ui],
];

/** Members of the capabilities whose own members have free names. */
const NAMED = ['extensions', 'experimental'] as const;

/** Returns every capability that can be switched: the known ones, and the named ones that are declared. */
export function switchesOf(capabilities: ClientCapabilities): readonly CapabilityPath[] {
  const named = NAMED.flatMap((member) => Object.keys(capabilities[member] ?? {}).map((name) => [member, name]));
  return [...KNOWN, ...named.filter((path) => !KNOWN.some((known) => isSamePath(known, path)))];
}

/** Returns the name of a capability: `sampling.tools`. */
export function capabilityName(path: CapabilityPath): string {
  return path.join('.');
}

function isSamePath(one: CapabilityPath, other: CapabilityPath): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** Returns true if the capability is declared. An empty `elicitation` declares forms. */
export function isDeclared(capabilities: ClientCapabilities, path: CapabilityPath): boolean {
  return valueAt(withForms(capabilities), path) !== undefined;
}

/** Returns true for a declared capability that is neither a part of a declared one nor a mere group. */
export function isOptional(capabilities: ClientCapabilities, path: CapabilityPath): boolean {
  const isPart = WHOLE.has(path[0]!) && path.length > 1;
  return !isPart && !isGroup(path) && isDeclared(capabilities, path);
}

/** Returns true for a capability that means no more than its parts. */
function isGroup(path: CapabilityPath): boolean {
  return path.length === 1 && path[0] === 'elicitation';
}

/** Returns what a server receives of capabilities. */
export type SentCapabilities = (capabilities: ClientCapabilities) => unknown;

/** Returns true if the server receives something else once the capability is switched. */
export function matters(capabilities: ClientCapabilities, path: CapabilityPath, sent: SentCapabilities): boolean {
  const switched = withCapability(capabilities, path, !isDeclared(capabilities, path));
  return JSON.stringify(sent(switched)) !== JSON.stringify(sent(capabilities));
}

/**
 * Returns the declared capabilities whose absence a server can notice, each once: the optional ones and groups. One
 * that leaves the same as an earlier one is left out.
 */
export function worthTrying(capabilities: ClientCapabilities, sent: SentCapabilities): readonly CapabilityPath[] {
  const seen = new Set([JSON.stringify(sent(capabilities))]);
  return switchesOf(capabilities).filter((path) => {
    if (!isOptional(capabilities, path) && !(isGroup(path) && isDeclared(capabilities, path))) return false;
    const left = JSON.stringify(sent(withCapability(capabilities, path, false)));
    const isNew = !seen.has(left);
    seen.add(left);
    return isNew;
  });
}

/**
 * Returns the capabilities with one switched on or off. On, it gets the value that mcp-inspect declares, or {}. Off,
 * its group goes too if nothing else is left in it and it means nothing alone.
 */
export function withCapability(
  capabilities: ClientCapabilities,
  path: CapabilityPath,
  on: boolean,
): ClientCapabilities {
  const before = withForms(capabilities) as JsonObject;
  if (on) return added(before, path, valueAt(ALL_CAPABILITIES, path) ?? {});
  return removed(before, path, 0);
}

function withForms(capabilities: ClientCapabilities): ClientCapabilities {
  const { elicitation } = capabilities;
  if (!isObject(elicitation) || elicitation.form !== undefined || elicitation.url !== undefined) return capabilities;
  return { ...capabilities, elicitation: { ...elicitation, form: {} } };
}

function valueAt(value: unknown, path: CapabilityPath): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? own(inner, name) : undefined), value);
}

function added(object: JsonObject, [name = '', ...rest]: CapabilityPath, value: unknown): JsonObject {
  const inner = own(object, name);
  // fromEntries and spread define own properties, so an extension called __proto__ works like any other.
  const member = rest.length === 0 ? value : added(isObject(inner) ? inner : {}, rest, value);
  return { ...object, ...Object.fromEntries([[name, member]]) };
}

/** Members that mean something without any member of their own. */
const WHOLE: ReadonlySet<string> = new Set(['sampling', 'tasks']);

function removed(object: JsonObject, path: CapabilityPath, depth: number): JsonObject {
  const name = path[depth]!;
  const inner = own(object, name);
  const others = Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
  if (depth === path.length - 1 || !isObject(inner)) return others;
  const left = removed(inner, path, depth + 1);
  if (Object.keys(left).length === 0 && !(depth === 0 && WHOLE.has(name))) return others;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, key === name ? left : value]));
}
