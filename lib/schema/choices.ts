import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { flatten } from './flatten';
import { stringifyJson } from './json';
import type { Choice, Shape } from './shape';

/** The values of `enum`, with the names that `enumNames` (SEP-1330's older spelling) gives them. Undefined for none. */
export function enumOptions(schema: JsonObject): readonly Choice[] | undefined {
  const values = own(schema, 'enum');
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const names = own(schema, 'enumNames') ?? own(schema, 'x-enumNames');
  return distinct(
    values.map((value, index) => ({ value, title: Array.isArray(names) ? text(names[index]) : undefined })),
  );
}

/** A union of nothing but single values: `oneOf` of `const` and `title`, `anyOf` of enums. */
export function choicesOf(schema: JsonObject, root: unknown): Shape | undefined {
  const branches = alternatives(schema);
  if (branches === undefined) return undefined;
  const options: Choice[] = [];
  for (const branch of branches) {
    const listed = valuesOf(branch, root);
    if (listed === undefined) return undefined;
    options.push(...listed);
  }
  return { kind: 'enum', options: distinct(options) };
}

/** `anyOf` of known values and any text: a text field that suggests. */
export function stringWithSuggestions(schema: JsonObject, root: unknown): Shape | undefined {
  const branches = alternatives(schema);
  if (branches === undefined) return undefined;
  const suggestions: Choice[] = [];
  let anyText = false;
  for (const branch of branches) {
    const listed = valuesOf(branch, root);
    if (listed?.every(({ value }) => typeof value === 'string')) suggestions.push(...listed);
    else if (isPlainString(branch, root)) anyText = true;
    else return undefined;
  }
  return anyText && suggestions.length > 0 ? { kind: 'string', suggestions: distinct(suggestions) } : undefined;
}

function alternatives(schema: JsonObject): readonly unknown[] | undefined {
  const branches = own(schema, 'anyOf') ?? own(schema, 'oneOf');
  return Array.isArray(branches) && branches.length > 0 ? branches : undefined;
}

function valuesOf(branch: unknown, root: unknown): readonly Choice[] | undefined {
  if (!isObject(branch)) return undefined;
  const flat = flatten(branch, root);
  if (typeof flat === 'string') return undefined;
  const { schema, nullable } = flat;
  const none: readonly Choice[] = nullable ? [{ value: null }] : [];
  const title = text(own(schema, 'title')) ?? text(own(schema, 'description'));
  if (Object.hasOwn(schema, 'const')) return [{ value: schema.const, title }, ...none];
  if (own(schema, 'type') === 'null') return [{ value: null, title }];
  const options = enumOptions(schema);
  if (options === undefined) return undefined;
  const [only, ...more] = options;
  return more.length === 0 ? [{ value: only!.value, title: only!.title ?? title }, ...none] : [...options, ...none];
}

function isPlainString(branch: unknown, root: unknown): boolean {
  if (!isObject(branch)) return false;
  const flat = flatten(branch, root);
  return typeof flat !== 'string' && own(flat.schema, 'type') === 'string' && !flat.nullable;
}

/** Each value once: a list that repeats one has no second way to choose it. */
function distinct(choices: readonly Choice[]): readonly Choice[] {
  const texts = new Set<string>();
  return choices.filter(({ value }) => {
    const text = stringifyJson(value);
    return !texts.has(text) && texts.add(text);
  });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
