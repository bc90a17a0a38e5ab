import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { withProperty } from './document';
import { sameJson } from './json';

/** The type of what cannot be: two schemas that hold at once and share no type. */
export const CONTRADICTION = 'contradiction';

type Merge = (below: unknown, above: unknown) => unknown;

/** Keywords that mean something together when two schemas hold at once. Of any other, the one on top wins. */
const MERGES: Readonly<Record<string, Merge>> = {
  type: sharedTypes,
  properties: bothProperties,
  patternProperties: bothProperties,
  required: (below, above) => [...(Array.isArray(below) ? below : []), ...(Array.isArray(above) ? above : [])],
  enum: (below, above) => {
    if (!Array.isArray(below) || !Array.isArray(above)) return above;
    const shared = above.filter((value) => below.some((other) => sameJson(value, other)));
    return shared.length > 0 ? shared : above;
  },
  items: bothSchemas,
  additionalProperties: (below, above) => (below === false || above === false ? false : bothSchemas(below, above)),
};

/** `below` with `above` laid over it, as schemas that both hold. */
export function merged(below: JsonObject, above: JsonObject): JsonObject {
  let schema: JsonObject = { ...below, ...above };
  for (const [keyword, merge] of Object.entries(MERGES)) {
    if (!Object.hasOwn(below, keyword) || !Object.hasOwn(above, keyword)) continue;
    schema = { ...schema, [keyword]: merge(below[keyword], above[keyword]) };
  }
  return schema;
}

function bothProperties(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above ?? below;
  return Object.entries(above).reduce<JsonObject>(
    (all, [name, schema]) =>
      withProperty(all, name, Object.hasOwn(all, name) ? bothSchemas(all[name], schema) : schema),
    below,
  );
}

function bothSchemas(below: unknown, above: unknown): unknown {
  // Compared by what they are and not by what is in them: parts that are shared many times over would be gone through as often.
  if (!isObject(below) || below === above) return above;
  return isObject(above) ? { allOf: [below, above] } : below;
}

function sharedTypes(below: unknown, above: unknown): unknown {
  const [lower, upper] = [below, above].map((type) => (Array.isArray(type) ? type : [type]));
  const shared = upper!.flatMap((type) => {
    if (lower!.includes(type)) return [type];
    if (type === 'integer' && lower!.includes('number')) return ['integer'];
    return type === 'number' && lower!.includes('integer') ? ['integer'] : [];
  });
  if (shared.length === 0) return CONTRADICTION;
  return shared.length === 1 ? shared[0] : shared;
}

/** The keywords of a schema under one name of a table, own ones only. */
export function table(schema: JsonObject, keyword: string): JsonObject {
  const found = own(schema, keyword);
  return isObject(found) ? found : {};
}
