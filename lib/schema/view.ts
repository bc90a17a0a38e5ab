import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { flatten } from './flatten';
import { hintsOf } from './hints';
import { RECOGNISERS, text } from './recognisers';
import type { Shape, View } from './shape';

const ANY: View = { kind: 'any', nullable: false, hints: [] };

// Per root, because a reference means what its root says. A schema object never changes, so neither does its view.
const views = new WeakMap<object, WeakMap<object, View>>();

/**
 * The form node for `schema`, which is somewhere in `root`. Always the same object for the same schema. Never throws, never loops,
 * never fetches: a schema that makes no sense is of kind `any`.
 */
export function view(schema: unknown, root: unknown): View {
  if (!isObject(schema)) return ANY;
  const key = isObject(root) ? root : schema;
  const known = views.get(key) ?? new WeakMap<object, View>();
  views.set(key, known);
  const made = known.get(schema) ?? make(schema, root);
  known.set(schema, made);
  return made;
}

function make(schema: JsonObject, root: unknown): View {
  const flat = flatten(schema, root);
  if (flat === undefined) return { ...ANY, ...labels(schema) };
  const shape = firstShape(flat.schema);
  return {
    ...shape,
    ...labels(flat.schema),
    // An enum that lists null already offers it.
    nullable: flat.nullable && !(shape.kind === 'enum' && shape.options.includes(null)),
    hints: hintsOf(flat.schema),
  };
}

function firstShape(schema: JsonObject): Shape {
  for (const recognise of RECOGNISERS) {
    const shape = recognise(schema);
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
