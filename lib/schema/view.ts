import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { type Flat, flatten } from './flatten';
import { hintsOf } from './hints';
import { RECOGNISERS } from './recognisers';
import type { Around, Because, Shape, View } from './shape';

const ANY: View = { kind: 'any', nullable: false, hints: [], examples: [] };
const NEVER: View = { ...ANY, kind: 'any', because: 'never' };
const MALFORMED: View = { ...ANY, kind: 'any', because: 'malformed' };

// Per root, because a reference means what its root says. A schema object never changes, so neither does its view.
const views = new WeakMap<object, WeakMap<object, View>>();

// How many are being made, one for another, and how many were since the first of them was asked for.
let making = 0;
let steps = 0;

/**
 * The form node for `schema`, which is somewhere in `root`. Always the same object for the same schema. Never throws, never loops,
 * never fetches: a schema that makes no sense is of kind `any`, with the reason.
 */
export function view(schema: unknown, root: unknown): View {
  if (!isObject(schema)) return schema === true || schema === undefined ? ANY : schema === false ? NEVER : MALFORMED;
  const key = isObject(root) ? root : schema;
  const known = views.get(key) ?? new WeakMap<object, View>();
  views.set(key, known);
  const found = known.get(schema);
  if (found !== undefined) return found;
  if (making === 0) steps = 0;
  // Not remembered: asked for alone, it may well be made.
  if (++steps > LIMITS.viewSteps) return unclear('too-large', schema);
  // What asks for it while it is being made is a circle.
  known.set(schema, unclear('circle', schema));
  making++;
  try {
    const made = make(schema, root);
    known.set(schema, made);
    return made;
  } finally {
    making--;
  }
}

function make(schema: JsonObject, root: unknown): View {
  const flat = flatten(schema, root);
  if (typeof flat === 'string') return unclear(flat, schema);
  const shape = firstShape(flat, { root, view: (schema) => view(schema, root) });
  const encoded = own(flat.schema, 'x-mcp-header');
  return {
    ...shape,
    ...labels(flat.schema),
    // An enum that lists null already offers it.
    nullable: flat.nullable && !(shape.kind === 'enum' && shape.options.some(({ value }) => value === null)),
    hints: hintsOf(flat.schema),
    examples: examplesOf(flat.schema),
    ...(typeof encoded === 'string' && { header: encoded }),
  };
}

function unclear(because: Because, schema: JsonObject): View {
  return { ...ANY, kind: 'any', because, ...labels(schema) };
}

function firstShape(flat: Flat, around: Around): Shape {
  for (const recognise of RECOGNISERS) {
    const shape = recognise(flat.schema, flat, around);
    if (shape !== undefined) return shape;
  }
  return { kind: 'any' };
}

function labels(schema: JsonObject): Pick<View, 'title' | 'description' | 'default'> {
  return {
    title: text(own(schema, 'title')),
    description: text(own(schema, 'description')),
    default: Object.hasOwn(schema, 'default') ? { value: schema.default } : undefined,
  };
}

/** `examples`, and the `example` of OpenAPI. */
function examplesOf(schema: JsonObject): readonly unknown[] {
  const several = own(schema, 'examples');
  if (Array.isArray(several)) return several;
  return Object.hasOwn(schema, 'example') ? [schema.example] : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
