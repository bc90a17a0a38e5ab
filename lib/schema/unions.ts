import { stringifyJson } from '@/lib/json/exact';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type FlatSchema, flatten, isNullSchema, subschemas } from './flatten';
import type { Branch, FieldChoice, FieldShape, Property, UnlabelledBranch, View, ViewContext } from './view-types';

/**
 * Returns the values of `enum`, with titles from `enumNames`, the older form in SEP-1330. Returns undefined without
 * `enum`.
 */
export function enumOptions(schema: JsonObject): readonly FieldChoice[] | undefined {
  const values = own(schema, 'enum');
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const names = own(schema, 'enumNames') ?? own(schema, 'x-enumNames');
  return distinct(
    values.map((value, index) => ({ value, title: Array.isArray(names) ? nonEmptyText(names[index]) : undefined })),
  );
}

/** Recognises a union of single values: `oneOf` with `const` and `title`, or `anyOf` with enums. */
export function choicesOf(schema: JsonObject, root: unknown): FieldShape | undefined {
  const branches = alternatives(schema);
  if (branches === undefined) return undefined;
  const options: FieldChoice[] = [];
  for (const branch of branches) {
    const listed = valuesOf(branch, root);
    if (listed === undefined) return undefined;
    options.push(...listed);
  }
  return { kind: 'enum', options: distinct(options) };
}

/** Recognises `anyOf` of values and any text: a text field with suggestions. */
export function stringWithSuggestions(schema: JsonObject, root: unknown): FieldShape | undefined {
  const branches = alternatives(schema);
  if (branches === undefined) return undefined;
  const suggestions: FieldChoice[] = [];
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

function valuesOf(branch: unknown, root: unknown): readonly FieldChoice[] | undefined {
  if (!isObject(branch)) return undefined;
  const flat = flatten(branch, root);
  if (typeof flat === 'string') return undefined;
  const { schema, nullable } = flat;
  const none: readonly FieldChoice[] = nullable ? [{ value: null }] : [];
  const title = nonEmptyText(own(schema, 'title')) ?? nonEmptyText(own(schema, 'description'));
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

/** Removes repeated values. */
function distinct(choices: readonly FieldChoice[]): readonly FieldChoice[] {
  const texts = new Set<string>();
  return choices.filter(({ value }) => {
    const text = stringifyJson(value);
    return !texts.has(text) && texts.add(text);
  });
}

export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Labels the branches of a union by title, discriminator, name in the schema, or shape. `allowsNull`: one of the
 * branches that are left out is null.
 */
function labelBranches(raw: readonly UnlabelledBranch[], around: ViewContext, allowsNull = false): FieldShape {
  const views = raw.map(({ schema }) => around.view(schema));
  const mark = discriminator(views, around);
  const said = views.map((view, index) => {
    const value = mark?.values[index];
    if (view.title !== undefined) return view.title;
    if (mark !== undefined && value !== undefined) return `${mark.name}: ${stringifyJson(value)}`;
    return refName(raw[index]!.schema) ?? shapeWords(view, around);
  });
  const told = said.map((label, index) =>
    said.indexOf(label) === said.lastIndexOf(label) ? label : `${label} · ${distinction(index)}`,
  );
  const labels = told.map((label, index) => {
    const before = told.slice(0, index).filter((other) => other === label).length;
    return before === 0 ? label : `${label} (${before + 1})`;
  });
  const branches = raw.map(
    ({ schema, at }, index): Branch => ({
      // A union that contains itself would never end, so that branch is edited as JSON.
      schema: isCircle(views[index]!) ? true : schema,
      at,
      label: labels[index]!,
      marks: mark === undefined || mark.values[index] === undefined ? [] : [[mark.name, mark.values[index]]],
    }),
  );
  return { kind: 'union', branches, allowsNull: allowsNull || views.some(({ nullable }) => nullable) };

  function distinction(index: number): string {
    const value = mark?.values[index];
    return mark !== undefined && value !== undefined && !said[index]!.startsWith(mark.name)
      ? `${mark.name}: ${stringifyJson(value)}`
      : shapeWords(views[index]!, around);
  }
}

/** Finds the property with a different value in each branch: `kind: "cat"`, `kind: "dog"`. Branches can lack it. */
function discriminator(
  views: readonly View[],
  around: ViewContext,
): { name: string; values: readonly unknown[] } | undefined {
  const first = views.find((view) => view.kind === 'object');
  if (first?.kind !== 'object') return undefined;
  const candidates = new Set(first.properties.slice(0, MOST_CANDIDATES).map(({ name }) => name));
  const named = views.map((view) =>
    view.kind === 'object' ? view.properties.filter(({ name }) => candidates.has(name)) : [],
  );
  for (const name of candidates) {
    const values = named.map((properties) => markOf(properties, name, around));
    const texts = values.filter((value) => value !== undefined).map((value) => stringifyJson(value));
    if (texts.length > 1 && new Set(texts).size === texts.length) return { name, values };
  }
  return undefined;
}

/** Most properties tried as a discriminator, which is usually one of the first. */
const MOST_CANDIDATES = 32;

function markOf(properties: readonly Property[], name: string, around: ViewContext): unknown {
  const property = properties.find((property) => property.name === name);
  if (property === undefined) return undefined;
  const inner = around.view(property.schema);
  if (inner.kind === 'const') return inner.value;
  return inner.kind === 'enum' && inner.options.length === 1 ? inner.options[0]!.value : undefined;
}

function refName(schema: unknown): string | undefined {
  const reference = isObject(schema) ? own(schema, '$ref') : undefined;
  const name = typeof reference === 'string' ? /\/([^/]+)$/.exec(reference)?.[1] : undefined;
  return name === undefined || /^(?:_*schema)?\d*$/.test(name) ? undefined : name;
}

function isCircle(node: View): boolean {
  return node.kind === 'any' && node.because === 'circle';
}

/** Most names or values shown of a shape. */
const TOLD = 3;

/** Describes a shape: `string`, `array of string`, `{id, name}`. */
function shapeWords(node: View, around: ViewContext, levels = 2): string {
  switch (node.kind) {
    case 'string':
      return node.format === undefined ? 'string' : `string (${node.format})`;
    case 'const':
      return cut(stringifyJson(node.value));
    case 'enum':
      return some(
        node.options.map(({ value }) => cut(stringifyJson(value))),
        ' | ',
      );
    case 'array':
      return levels === 0 ? 'array' : `array of ${shapeWords(around.view(node.items), around, levels - 1)}`;
    case 'tuple':
      return `[${some(
        node.items.map((item) => (levels === 0 ? '…' : shapeWords(around.view(item), around, levels - 1))),
        ', ',
      )}]`;
    case 'object':
      return node.properties.length === 0 ? 'object' : `{${some(inOrder(node.properties), ', ')}}`;
    case 'map':
      return levels === 0 || node.others.schema === true || node.others.schema === false
        ? 'object'
        : `object of ${shapeWords(around.view(node.others.schema), around, levels - 1)}`;
    case 'union':
      return 'one of several';
    case 'any':
      if (node.because === 'circle') return 'the same';
      return node.because === undefined ? 'any JSON' : 'JSON';
    default:
      return node.kind;
  }
}

/** Returns the names of properties, required ones first. */
function inOrder(properties: readonly Property[]): readonly string[] {
  const rest = properties.filter(({ required }) => !required);
  return [...properties.filter(({ required }) => required), ...rest].map(({ name }) => name);
}

function some(words: readonly string[], between: string): string {
  return words.slice(0, TOLD).join(between) + (words.length > TOLD ? `${between}…` : '');
}

function cut(text: string): string {
  return text.length > 24 ? `${text.slice(0, 24)}…` : text;
}

/** Keywords that give a branch a shape. A branch without any is only a condition. */
const SHAPING = [
  '$ref',
  '$dynamicRef',
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'enum',
  'items',
  'oneOf',
  'patternProperties',
  'prefixItems',
  'properties',
  'type',
];

/** Recognises `anyOf` or `oneOf` with branches of different shapes, but not branches that only require names. */
export function unionOf(schema: JsonObject, flat: FlatSchema, around: ViewContext): FieldShape | undefined {
  for (const keyword of ['oneOf', 'anyOf']) {
    const list = own(schema, keyword);
    if (!Array.isArray(list)) continue;
    const branches = list
      .map((branch, index) => ({ schema: branch, at: `${keyword}/${index}` }))
      .filter(({ schema }) => !isNullSchema(schema));
    if (branches.length < 2 || !branches.some(({ schema }) => shapes(schema))) continue;
    if (branches.length > MOST_BRANCHES) return { kind: 'any', because: 'too-large' };
    const { [keyword]: _union, ...beside } = schema;
    const inner = spread(branches, around.root);
    const shown = inner.filter((branch) => !isNullSchema(branch.schema));
    const allowsNull = branches.length < list.length || shown.length < inner.length;
    return labelBranches(shown.map(onto(beside, flat)), around, allowsNull);
  }
  return undefined;
}

/** Most branches that a user can choose from. A union with more is edited as JSON. */
const MOST_BRANCHES = 500;

/** Recognises `type: ['string', 'number']`. Each type keeps the keywords beside it. */
export function typeUnion(schema: JsonObject, _flat: FlatSchema, around: ViewContext): FieldShape | undefined {
  const types = own(schema, 'type');
  if (!Array.isArray(types) || types.length < 2) return undefined;
  const wide = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  if (wide.length >= 5 && !Object.hasOwn(schema, 'properties') && !Object.hasOwn(schema, 'items')) {
    return { kind: 'any' };
  }
  if (wide.length === 1) return around.view({ ...schema, type: wide[0] });
  const { title: _title, description: _description, default: _default, examples: _examples, ...rest } = schema;
  return labelBranches(
    wide.map((type) => ({ schema: { ...rest, type }, at: '' })),
    around,
  );
}

function shapes(branch: unknown): boolean {
  return isObject(branch) && SHAPING.some((keyword) => Object.hasOwn(branch, keyword));
}

/** Replaces nested unions without other keywords by their branches. */
function spread(branches: readonly UnlabelledBranch[], root: unknown): readonly UnlabelledBranch[] {
  return branches.flatMap((branch) => {
    if (!isObject(branch.schema)) return [branch];
    const flat = flatten(branch.schema, root);
    if (typeof flat === 'string' || flat.nullable) return [branch];
    const inner = own(flat.schema, 'anyOf');
    const alone = Object.keys(flat.schema).every((key) => key === 'anyOf');
    if (!alone || !Array.isArray(inner) || !Object.hasOwn(branch.schema, 'anyOf')) return [branch];
    return inner.map((schema, index) => ({ schema, at: `${branch.at}/anyOf/${index}` }));
  });
}

const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'discriminator',
  '$schema',
  '$id',
  'id',
  '$defs',
  'definitions',
  '$comment',
  'nullable',
  '$anchor',
  'x-mcp-header',
]);

/** Adds the keywords beside a union to each of its branches. */
function onto(beside: JsonObject, flat: FlatSchema): (branch: UnlabelledBranch) => UnlabelledBranch {
  const rest = Object.fromEntries(Object.entries(beside).filter(([key]) => !ANNOTATIONS.has(key)));
  // Conditions add fields but require none.
  const conditions = flat.conditions.map(({ schema }) => ({ properties: subschemas(schema, 'properties') }));
  if (Object.keys(rest).length === 0 && conditions.length === 0) return (branch) => branch;
  return ({ schema, at }) => ({ schema: { allOf: [rest, ...conditions, schema] }, at });
}
