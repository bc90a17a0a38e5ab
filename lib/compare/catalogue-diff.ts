import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { BREAKING_RULES, type BreakingRuleId } from './breaking-rules';
import { type Catalogue, isThere, type Listed, type ListName, type ReadList } from './catalogue';
import {
  compareExecution,
  comparePromptArguments,
  compareSchemas,
  type ItemChanges,
  isSameValue,
  memberChanges,
  nameOf,
} from './item-changes';
import { USUAL } from './normalise';
import { shownValue } from './shown-value';
import { type Comparing, valueDifferences } from './value-diff';

/** What a change is about. */
export type Subject = 'server' | 'capability' | 'tool' | 'prompt' | 'resource' | 'template';

/** One way in which what a server offers has changed. */
export interface CatalogueChange {
  readonly about: Subject;
  /** Of the tool, prompt or template, a resource's uri, a capability; '' for the server. As a server wrote it. */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** The rule that calls it breaking. */
  readonly breaking: BreakingRuleId | undefined;
  /** What changed, in one sentence without the name. May quote the server. */
  readonly sentence: string;
  /** The frames that say so. */
  readonly beforeSeq: number | undefined;
  readonly afterSeq: number | undefined;
}

/** How the two differ: the server first, then each list in the order of `before`; at most `LIMITS.changesTold` each. A step is one thing of a list. */
export function* compareCatalogues(
  before: Catalogue,
  after: Catalogue,
  how: Comparing,
): Generator<void, readonly CatalogueChange[]> {
  const changes = new Changes(before.seq, after.seq, how);
  compareServers(before, after, changes);
  for (const [list, kind] of LISTS) {
    const [was, is] = [before.lists.get(list), after.lists.get(list)];
    if (was && is) yield* compareLists(kind, was, is, changes);
  }
  return changes.all;
}

/** How the things of a list are told apart and compared. */
interface Kind {
  readonly about: Subject;
  readonly identity: string;
  readonly gone: BreakingRuleId;
  /** Members with a look of their own; others are compared as values. */
  readonly members?: Readonly<Record<string, (before: unknown, after: unknown, changes: ItemChanges) => void>>;
}

const LISTS: readonly (readonly [ListName, Kind])[] = [
  [
    'tools',
    {
      about: 'tool',
      identity: 'name',
      gone: 'tool-gone',
      members: {
        inputSchema: (before, after, changes) => compareSchemas('input', before, after, changes),
        outputSchema: (before, after, changes) => compareSchemas('output', before, after, changes),
        execution: compareExecution,
      },
    },
  ],
  [
    'prompts',
    { about: 'prompt', identity: 'name', gone: 'prompt-gone', members: { arguments: comparePromptArguments } },
  ],
  ['resources', { about: 'resource', identity: 'uri', gone: 'resource-gone' }],
  ['resourceTemplates', { about: 'template', identity: 'uriTemplate', gone: 'template-gone' }],
];

class Changes {
  readonly all: CatalogueChange[] = [];
  readonly how: Comparing;
  readonly #beforeSeq: number | undefined;
  readonly #afterSeq: number | undefined;

  constructor(beforeSeq: number | undefined, afterSeq: number | undefined, how: Comparing) {
    this.#beforeSeq = beforeSeq;
    this.#afterSeq = afterSeq;
    this.how = how;
  }

  note(change: Omit<CatalogueChange, 'beforeSeq' | 'afterSeq' | 'breaking'> & Partial<CatalogueChange>): void {
    if (this.all.length >= LIMITS.changesTold) return;
    this.all.push({ breaking: undefined, beforeSeq: this.#beforeSeq, afterSeq: this.#afterSeq, ...change });
  }
}

function compareServers(before: Catalogue, after: Catalogue, changes: Changes): void {
  const note = (sentence: string) => changes.note({ about: 'server', name: '', change: 'changed', sentence });
  if (before.version !== after.version) {
    note(`The protocol version was ${before.version ?? 'not agreed on'}, and is ${after.version ?? 'not agreed on'}.`);
  }
  for (const { sentence } of memberChanges(before.info, after.info, changes.how, 'serverInfo.')) note(sentence);
  const [was, is] = [{ instructions: before.instructions }, { instructions: after.instructions }];
  for (const { sentence } of memberChanges(defined(was), defined(is), changes.how, '')) note(sentence);
  compareCapabilities(before.capabilities, after.capabilities, '', changes);
}

/** Capabilities are objects in objects; what is gone at any level was promised before. */
function compareCapabilities(before: JsonObject, after: JsonObject, path: string, changes: Changes): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const name = path === '' ? key : `${path}.${key}`;
    const [was, is] = [own(before, key), own(after, key)];
    const [had, has] = [isThere(was), isThere(is)];
    if (had && !has) {
      const sentence = 'The capability is gone.';
      changes.note({ about: 'capability', name, change: 'removed', sentence, breaking: 'capability-gone' });
    } else if (!had && has) {
      changes.note({ about: 'capability', name, change: 'added', sentence: 'The capability is new.' });
    } else if (isObject(was) && isObject(is) && name.length < LIMITS.differenceChars) {
      compareCapabilities(was, is, name, changes);
    } else if (had && has && valueDifferences(was, is, changes.how).length > 0) {
      const sentence = `It was ${shownValue(was)}, and is ${shownValue(is)}.`;
      changes.note({ about: 'capability', name, change: 'changed', sentence });
    }
  }
}

function* compareLists(kind: Kind, before: ReadList, after: ReadList, changes: Changes): Generator<void, void> {
  const { about, identity, gone, members = {} } = kind;
  const was = yield* byIdentity(before.items, identity, changes.how);
  const is = yield* byIdentity(after.items, identity, changes.how);
  for (const [key, old] of was) {
    yield;
    const name = nameOf(old.item, identity);
    const now = is.get(key);
    const at = { about, name, beforeSeq: old.seq, afterSeq: now?.seq };
    if (!now) {
      // What is missing of a list that was not read to its end may come on its next page.
      if (after.complete) changes.note({ ...at, change: 'removed', breaking: gone, sentence: `The ${about} is gone.` });
      continue;
    }
    const item: ItemChanges = {
      how: changes.how,
      note: (sentence, breaking) => changes.note({ ...at, change: 'changed', sentence, breaking }),
    };
    for (const [member, look] of Object.entries(members)) {
      const [before, after] = [own(old.item, member), own(now.item, member)];
      if (!isSameValue(before, after, inMeaning(changes.how), member)) look(before, after, item);
    }
    for (const { key: member, sentence } of memberChanges(old.item, now.item, changes.how, '')) {
      if (!Object.hasOwn(members, member)) item.note(sentence);
    }
  }
  for (const [key, { item, seq }] of is) {
    if (was.has(key) || !before.complete) continue;
    const name = nameOf(item, identity);
    changes.note({
      about,
      name,
      change: 'added',
      sentence: `The ${about} is new.`,
      beforeSeq: undefined,
      afterSeq: seq,
    });
  }
}

/** The first of several with one name, as clients have it. What differs from run to run in a uri is no other resource. */
function* byIdentity(
  listed: readonly Listed[],
  identity: string,
  how: Comparing,
): Generator<void, ReadonlyMap<string, Listed>> {
  const found = new Map<string, Listed>();
  for (const one of listed) {
    const key = inMeaning(how).normalising.text(nameOf(one.item, identity), undefined);
    if (!found.has(key)) found.set(key, one);
    yield;
  }
  return found;
}

/** Names tell things apart, and a value may break who relied on another: of structure both are looked at, as far as they mean something. */
function inMeaning(how: Comparing): Comparing {
  return how.mode === 'structure' ? { mode: 'semantic', normalising: USUAL } : how;
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Why a rule calls a change breaking. */
export function breakingWords(id: BreakingRuleId): string {
  return BREAKING_RULES.find((rule) => rule.id === id)!.why;
}
