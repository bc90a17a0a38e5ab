import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { type BreakingRuleId, schemaRule } from './breaking-rules';
import { changeWords } from './change-words';
import { type SchemaChangeKind, schemaChanges } from './schema-changes';
import { shownTexts, shownValue } from './shown-value';
import { type Comparing, valueDifferences } from './value-diff';

/** Notes changes of one thing. `breaking` is the rule that says so. */
export interface ItemChanges {
  readonly how: Comparing;
  note(sentence: string, breaking?: BreakingRuleId): void;
}

/** The members that differ, each with a sentence. Of structure only those are told that came, went, or have another type. */
export function memberChanges(before: JsonObject, after: JsonObject, how: Comparing, prefix: string) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [was, is] = [own(before, key), own(after, key)];
    return isSameValue(was, is, how, key) ? [] : [{ key, sentence: memberSentence(`${prefix}${key}`, was, is) }];
  });
}

/** Whether a member is the same on both sides, or on neither. */
export function isSameValue(was: unknown, is: unknown, how: Comparing, key: string): boolean {
  if (was === undefined || is === undefined) return was === is;
  return valueDifferences(was, is, how, [key]).length === 0;
}

function memberSentence(name: string, was: unknown, is: unknown): string {
  if (was === undefined) return `\`${name}\` is new: ${shownValue(is)}.`;
  if (is === undefined) return `\`${name}\` is gone; it was ${shownValue(was)}.`;
  const [shownWas, shownIs] =
    typeof was === 'string' && typeof is === 'string' ? shownTexts(was, is) : [shownValue(was), shownValue(is)];
  return `\`${name}\` was ${shownWas}, and is ${shownIs}.`;
}

/** Compares the schema of a tool's arguments, or of its output. */
export function compareSchemas(side: 'input' | 'output', before: unknown, after: unknown, changes: ItemChanges): void {
  const member = `${side}Schema`;
  if (!isObject(before) || !isObject(after)) {
    const gone = side === 'output' && after === undefined ? ('output-schema-gone' as const) : undefined;
    changes.note(memberSentence(member, before, after), gone);
    return;
  }
  for (const change of schemaChanges(before, after)) {
    const breaking = schemaRule(side, change.kind);
    if (breaking === undefined && changes.how.mode === 'structure' && OF_VALUES.has(change.kind)) continue;
    changes.note(changeWords(side, change), breaking);
  }
}

/** Changes of a schema that are none of structure. */
const OF_VALUES: ReadonlySet<SchemaChangeKind> = new Set([
  ...(['other', 'values-narrowed', 'values-widened', 'bound-narrowed', 'bound-widened'] as const),
]);

/** Tasks of 2025-11-25. */
export function compareExecution(before: unknown, after: unknown, changes: ItemChanges): void {
  const support = (value: unknown): unknown => (isObject(value) ? own(value, 'taskSupport') : undefined);
  const required = support(after) === 'required' && support(before) !== 'required';
  if (!required && isSameValue(before, after, changes.how, 'execution')) return;
  changes.note(memberSentence('execution', before, after), required ? 'task-required' : undefined);
}

/** Compares what a prompt takes. */
export function comparePromptArguments(before: unknown, after: unknown, changes: ItemChanges): void {
  const [was, is] = [argumentsOf(before), argumentsOf(after)];
  for (const [name, old] of was) {
    const now = is.get(name);
    if (!now) changes.note(`The argument \`${name}\` is gone.`, 'argument-gone');
    else if (own(old, 'required') !== true && own(now, 'required') === true) {
      changes.note(`The argument \`${name}\` is required now.`, 'argument-required');
    } else if (own(old, 'required') === true && own(now, 'required') !== true) {
      changes.note(`The argument \`${name}\` is optional now.`);
    }
    const rest = (item: JsonObject): JsonObject => ({ ...item, required: undefined });
    for (const { sentence } of now ? memberChanges(rest(old), rest(now), changes.how, `arguments.${name}.`) : []) {
      changes.note(sentence);
    }
  }
  for (const [name, now] of is) {
    if (was.has(name)) continue;
    const required = own(now, 'required') === true;
    changes.note(
      `The ${required ? 'required ' : ''}argument \`${name}\` is new.`,
      required ? 'argument-required' : undefined,
    );
  }
}

function argumentsOf(value: unknown): ReadonlyMap<string, JsonObject> {
  const items = Array.isArray(value) ? value.filter(isObject) : [];
  return new Map(items.map((item) => [nameOf(item, 'name'), item]));
}

/** A member that is a text; '' for none. */
export function nameOf(item: JsonObject, identity: string): string {
  const name = own(item, identity);
  return typeof name === 'string' ? name : '';
}
