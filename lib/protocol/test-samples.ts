// biome-ignore-all lint/suspicious/noExplicitAny: schemas are read as they come
/**
 * Returns values that fit a JSON Schema of the specification: each branch of a union once, with all optional members.
 */
export function samples(schema: any, defs: any): unknown[] {
  return fill(schema, defs);
}

/** Schemas that accept any JSON object or value. */
const OPAQUE = new Set(['JSONObject', 'JSONValue', 'JSONArray']);

function fill(schema: any, defs: any): unknown[] {
  if (schema === true || schema === undefined) return ['x'];
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1);
    return OPAQUE.has(name) ? [{}] : fill(defs[name], defs);
  }
  if ('const' in schema) return [schema.const];
  if (schema.enum) return schema.enum;
  if (schema.anyOf) return schema.anyOf.flatMap((branch: any) => fill(branch, defs));
  if (schema.allOf) return fill(merged(schema.allOf, defs), defs);
  const type = Array.isArray(schema.type) ? schema.type : [schema.type];
  return type.flatMap((each: string) => MAKERS[each]?.(schema, defs) ?? ['x']);
}

const MAKERS: Readonly<Record<string, (schema: any, defs: any) => unknown[]>> = {
  string: () => ['text'],
  integer: () => [1],
  number: () => [0.5],
  boolean: () => [true],
  null: () => [null],
  array: ({ items }, defs) => fill(items ?? true, defs).map((item) => [item]),
  object: (schema, defs) => objects(schema, defs),
};

/** Returns as many objects as the richest member has samples. Members with fewer samples repeat theirs. */
function objects(schema: any, defs: any): unknown[] {
  const members = Object.entries<any>(schema.properties ?? {}).map(
    ([name, member]) => [name, fill(member, defs)] as const,
  );
  const { additionalProperties: more } = schema;
  if (typeof more === 'object' && Object.keys(more).length > 0) {
    members.push(['anything', fill(more, defs)]);
  }
  const count = Math.max(1, ...members.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(members.map(([name, values]) => [name, values[at % values.length]])),
  );
}

function merged(parts: any[], defs: any): any {
  const all = parts.map((part) => (part.$ref ? defs[part.$ref.split('/').at(-1)] : part));
  return {
    type: 'object',
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required }) => required ?? []),
  };
}
