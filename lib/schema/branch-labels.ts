import { isObject, own } from '@/lib/wire/message';
import { stringifyJson } from './json';
import type { Around, Branch, Property, RawBranch, Shape, View } from './shape';

/** The union of these branches, each called by its title, what tells it from the others, its name in the schema, or its shape. */
export function labelled(raw: readonly RawBranch[], around: Around): Shape {
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
      // A union of itself has no end: there its branch is any JSON.
      schema: isCircle(views[index]!) ? true : schema,
      at,
      label: labels[index]!,
      marks: mark === undefined || mark.values[index] === undefined ? [] : [[mark.name, mark.values[index]]],
    }),
  );
  return { kind: 'union', branches };

  function distinction(index: number): string {
    const value = mark?.values[index];
    return mark !== undefined && value !== undefined && !said[index]!.startsWith(mark.name)
      ? `${mark.name}: ${stringifyJson(value)}`
      : shapeWords(views[index]!, around);
  }
}

/** The property that has a value of its own in each branch: `kind: "cat"` and `kind: "dog"`. Only some may have one. */
function discriminator(
  views: readonly View[],
  around: Around,
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

/** Names tried: what tells objects apart comes early in them. */
const MOST_CANDIDATES = 32;

function markOf(properties: readonly Property[], name: string, around: Around): unknown {
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

/** Names, values and levels told of a shape before it is cut. */
const TOLD = 3;

/** What a value of this shape looks like: `string`, `array of string`, `{id, name}`. */
function shapeWords(node: View, around: Around, levels = 2): string {
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

/** Required names first: they tell most. */
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
