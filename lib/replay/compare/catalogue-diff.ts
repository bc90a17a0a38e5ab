import { isObject, type JsonObject, own } from '@/lib/json/value';
import { BREAKING_RULES, type BreakingRuleId, breakingSchemaRule } from './breaking-rules';
import { type CatalogueList, isOffered, type ListName, type RecordedItem, type RecordedOffers } from './catalogue';
import { DEFAULT_NORMALISER } from './normalise';
import { type SchemaChangeKind, schemaChanges, schemaChangeText } from './schema-changes';
import { type CompareOptions, DIFFERENCE_CHARS, shortJson, shortTexts, valueDifferences } from './value-diff';

const MAX_CHANGES = 2000;

/** The thing that a change is about. */
type ChangeSubject = 'server' | 'capability' | 'tool' | 'prompt' | 'resource' | 'template';

/** One change of what a server offers. */
export interface CatalogueChange {
  readonly about: ChangeSubject;
  /**
   * Name of the tool, prompt, template or capability, or uri of the resource, as the server wrote it; '' for the
   * server.
   */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** The rule by which the change is breaking. */
  readonly breaking: BreakingRuleId | undefined;
  /** The change in one sentence without the name. May quote the server. */
  readonly sentence: string;
  /** seqs of the frames that hold the states before and after. */
  readonly beforeSeq: number | undefined;
  readonly afterSeq: number | undefined;
}

/**
 * Lists how two catalogues differ: the server first, then each list in the order of `before`; at most `MAX_CHANGES`
 * changes. Yields after each list item.
 */
export function* compareCatalogues(
  before: RecordedOffers,
  after: RecordedOffers,
  how: CompareOptions,
): Generator<void, readonly CatalogueChange[]> {
  const changes = new Changes(before.seq, after.seq, how);
  compareServers(before, after, changes);
  for (const [list, kind] of LISTS) {
    const [was, is] = [before.lists.get(list), after.lists.get(list)];
    if (was && is) yield* compareLists(kind, was, is, changes);
    if (was && !is && after.refused.has(list)) {
      const sentence = `The list of ${kind.about}s is refused.`;
      changes.addChange({ about: 'server', name: '', change: 'removed', sentence, breaking: 'list-refused' });
    }
  }
  return changes.all;
}

/** How the items of a list are identified and compared. */
interface Kind {
  readonly about: ChangeSubject;
  readonly identity: string;
  readonly gone: BreakingRuleId;
  /** Members compared by code of their own. All others are compared as values. */
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

/** Collects the changes of one item. `breaking` is the rule by which a change is breaking. */
interface ItemChanges {
  readonly how: CompareOptions;
  addChange(sentence: string, breaking?: BreakingRuleId): void;
}

class Changes {
  readonly all: CatalogueChange[] = [];
  readonly how: CompareOptions;
  readonly #beforeSeq: number | undefined;
  readonly #afterSeq: number | undefined;

  constructor(beforeSeq: number | undefined, afterSeq: number | undefined, how: CompareOptions) {
    this.#beforeSeq = beforeSeq;
    this.#afterSeq = afterSeq;
    this.how = how;
  }

  addChange(change: Omit<CatalogueChange, 'beforeSeq' | 'afterSeq' | 'breaking'> & Partial<CatalogueChange>): void {
    if (this.all.length >= MAX_CHANGES) return;
    this.all.push({ breaking: undefined, beforeSeq: this.#beforeSeq, afterSeq: this.#afterSeq, ...change });
  }
}

function compareServers(before: RecordedOffers, after: RecordedOffers, changes: Changes): void {
  const addChange = (sentence: string) => changes.addChange({ about: 'server', name: '', change: 'changed', sentence });
  if (before.version !== after.version) {
    addChange(
      `The protocol version was ${before.version ?? 'not agreed on'}, and is now ${after.version ?? 'not agreed on'}.`,
    );
  }
  for (const { sentence } of memberChanges(before.info, after.info, changes.how, 'serverInfo.')) addChange(sentence);
  const [was, is] = [{ instructions: before.instructions }, { instructions: after.instructions }];
  for (const { sentence } of memberChanges(defined(was), defined(is), changes.how, '')) addChange(sentence);
  compareCapabilities(before.capabilities, after.capabilities, '', changes);
}

/** Compares nested capability objects. Reports removed members at any level, since clients may rely on them. */
function compareCapabilities(before: JsonObject, after: JsonObject, path: string, changes: Changes): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const name = path === '' ? key : `${path}.${key}`;
    const [was, is] = [own(before, key), own(after, key)];
    const [had, has] = [isOffered(was), isOffered(is)];
    if (had && !has) {
      const sentence = 'The capability is gone.';
      changes.addChange({ about: 'capability', name, change: 'removed', sentence, breaking: 'capability-gone' });
    } else if (!had && has) {
      changes.addChange({ about: 'capability', name, change: 'added', sentence: 'The capability is new.' });
    } else if (isObject(was) && isObject(is) && name.length < DIFFERENCE_CHARS) {
      compareCapabilities(was, is, name, changes);
    } else if (had && has && valueDifferences(was, is, changes.how).length > 0) {
      const sentence = `It was ${shortJson(was)}, and is now ${shortJson(is)}.`;
      changes.addChange({ about: 'capability', name, change: 'changed', sentence });
    }
  }
}

function* compareLists(
  kind: Kind,
  before: CatalogueList,
  after: CatalogueList,
  changes: Changes,
): Generator<void, void> {
  const { about, identity, gone, members = {} } = kind;
  const was = yield* byIdentity(before.items, identity, changes.how);
  const is = yield* byIdentity(after.items, identity, changes.how);
  for (const [key, old] of was) {
    yield;
    const name = nameOf(old.item, identity);
    const now = is.get(key);
    const at = { about, name, beforeSeq: old.seq, afterSeq: now?.seq };
    if (!now) {
      // An item missing from an incomplete list may be on a later page.
      if (after.complete)
        changes.addChange({ ...at, change: 'removed', breaking: gone, sentence: `The ${about} is gone.` });
      continue;
    }
    const item: ItemChanges = {
      how: changes.how,
      addChange: (sentence, breaking) => changes.addChange({ ...at, change: 'changed', sentence, breaking }),
    };
    for (const [member, look] of Object.entries(members)) {
      const [before, after] = [own(old.item, member), own(now.item, member)];
      if (!isSameValue(before, after, inMeaning(changes.how), member)) look(before, after, item);
    }
    for (const { key: member, sentence } of memberChanges(old.item, now.item, changes.how, '')) {
      if (!Object.hasOwn(members, member)) item.addChange(sentence);
    }
  }
  for (const [key, { item, seq }] of is) {
    if (was.has(key) || !before.complete) continue;
    const name = nameOf(item, identity);
    changes.addChange({
      about,
      name,
      change: 'added',
      sentence: `The ${about} is new.`,
      beforeSeq: undefined,
      afterSeq: seq,
    });
  }
}

/**
 * Indexes items by name, and keeps the first of each name, as clients do. Uris are normalised, so that a changing part
 * does not make another resource.
 */
function* byIdentity(
  listed: readonly RecordedItem[],
  identity: string,
  how: CompareOptions,
): Generator<void, ReadonlyMap<string, RecordedItem>> {
  const found = new Map<string, RecordedItem>();
  for (const one of listed) {
    const key = inMeaning(how).normaliser.text(nameOf(one.item, identity), undefined);
    if (!found.has(key)) found.set(key, one);
    yield;
  }
  return found;
}

/** Structure mode still compares names and schema values, since a changed value can break clients. */
function inMeaning(how: CompareOptions): CompareOptions {
  return how.mode === 'structure' ? { mode: 'semantic', normaliser: DEFAULT_NORMALISER } : how;
}

/** Compares the schema of a tool's arguments, or of its output. */
function compareSchemas(side: 'input' | 'output', before: unknown, after: unknown, changes: ItemChanges): void {
  const member = `${side}Schema`;
  if (!isObject(before) || !isObject(after)) {
    const gone = side === 'output' && after === undefined ? ('output-schema-gone' as const) : undefined;
    changes.addChange(memberSentence(member, before, after), gone);
    return;
  }
  for (const change of schemaChanges(before, after)) {
    const breaking = breakingSchemaRule(side, change.kind);
    if (breaking === undefined && changes.how.mode === 'structure' && VALUE_CHANGES.has(change.kind)) continue;
    changes.addChange(schemaChangeText(side, change), breaking);
  }
}

/** Schema changes that structure mode ignores. */
const VALUE_CHANGES: ReadonlySet<SchemaChangeKind> = new Set([
  ...(['other', 'values-narrowed', 'values-widened', 'bound-narrowed', 'bound-widened'] as const),
]);

/** Compares task support (2025-11-25). */
function compareExecution(before: unknown, after: unknown, changes: ItemChanges): void {
  const support = (value: unknown): unknown => (isObject(value) ? own(value, 'taskSupport') : undefined);
  const required = support(after) === 'required' && support(before) !== 'required';
  if (!required && isSameValue(before, after, changes.how, 'execution')) return;
  changes.addChange(memberSentence('execution', before, after), required ? 'task-required' : undefined);
}

/** Compares the arguments of a prompt. */
function comparePromptArguments(before: unknown, after: unknown, changes: ItemChanges): void {
  const [was, is] = [argumentsOf(before), argumentsOf(after)];
  for (const [name, old] of was) {
    const now = is.get(name);
    if (!now) changes.addChange(`The argument \`${name}\` is gone.`, 'argument-gone');
    else if (own(old, 'required') !== true && own(now, 'required') === true) {
      changes.addChange(`The argument \`${name}\` is now required.`, 'argument-required');
    } else if (own(old, 'required') === true && own(now, 'required') !== true) {
      changes.addChange(`The argument \`${name}\` is now optional.`);
    }
    const rest = (item: JsonObject): JsonObject => ({ ...item, required: undefined });
    for (const { sentence } of now ? memberChanges(rest(old), rest(now), changes.how, `arguments.${name}.`) : []) {
      changes.addChange(sentence);
    }
  }
  for (const [name, now] of is) {
    if (was.has(name)) continue;
    const required = own(now, 'required') === true;
    changes.addChange(
      `The ${required ? 'required ' : ''}argument \`${name}\` is new.`,
      required ? 'argument-required' : undefined,
    );
  }
}

function argumentsOf(value: unknown): ReadonlyMap<string, JsonObject> {
  const items = Array.isArray(value) ? value.filter(isObject) : [];
  return new Map(items.map((item) => [nameOf(item, 'name'), item]));
}

/** Returns a string member, or ''. */
function nameOf(item: JsonObject, identity: string): string {
  const name = own(item, identity);
  return typeof name === 'string' ? name : '';
}

/** Finds the members that differ, each with a sentence. In structure mode only added, removed and retyped ones. */
function memberChanges(before: JsonObject, after: JsonObject, how: CompareOptions, prefix: string) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [was, is] = [own(before, key), own(after, key)];
    return isSameValue(was, is, how, key) ? [] : [{ key, sentence: memberSentence(`${prefix}${key}`, was, is) }];
  });
}

/** True if a member is the same on both sides, or absent from both. */
function isSameValue(was: unknown, is: unknown, how: CompareOptions, key: string): boolean {
  if (was === undefined || is === undefined) return was === is;
  return valueDifferences(was, is, how, [key]).length === 0;
}

function memberSentence(name: string, was: unknown, is: unknown): string {
  if (was === undefined) return `\`${name}\` is new: ${shortJson(is)}.`;
  if (is === undefined) return `\`${name}\` is gone; it was ${shortJson(was)}.`;
  const [shownWas, shownIs] =
    typeof was === 'string' && typeof is === 'string' ? shortTexts(was, is) : [shortJson(was), shortJson(is)];
  return `\`${name}\` was ${shownWas}, and is now ${shownIs}.`;
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Says why a rule calls a change breaking. */
export function breakingReason(id: BreakingRuleId): string {
  return BREAKING_RULES.find((rule) => rule.id === id)!.why;
}
