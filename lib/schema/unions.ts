import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { labelled } from './branch-labels';
import { type Flat, flatten, isNullSchema } from './flatten';
import { table } from './merge';
import type { Around, RawBranch, Shape } from './shape';

/** Keywords that make of a branch more than a condition on what stands beside the union. */
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

/** `anyOf` or `oneOf` whose branches differ in shape. Branches that only require names are conditions, and no union. */
export function unionOf(schema: JsonObject, flat: Flat, around: Around): Shape | undefined {
  for (const keyword of ['oneOf', 'anyOf']) {
    const list = own(schema, keyword);
    if (!Array.isArray(list)) continue;
    const branches = list
      .map((branch, index) => ({ schema: branch, at: `${keyword}/${index}` }))
      .filter(({ schema }) => !isNullSchema(schema));
    if (branches.length < 2 || !branches.some(({ schema }) => shapes(schema))) continue;
    if (branches.length > MOST_BRANCHES) return { kind: 'any', because: 'too-large' };
    const { [keyword]: _union, ...beside } = schema;
    return labelled(spread(branches, around.root).map(onto(beside, flat)), around);
  }
  return undefined;
}

/** More are no choice for a person. */
const MOST_BRANCHES = 500;

/** `type: ['string', 'number']`: each type with the keywords beside it. */
export function typeUnion(schema: JsonObject, _flat: Flat, around: Around): Shape | undefined {
  const types = own(schema, 'type');
  if (!Array.isArray(types) || types.length < 2) return undefined;
  const wide = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  if (wide.length >= 5 && !Object.hasOwn(schema, 'properties') && !Object.hasOwn(schema, 'items')) {
    return { kind: 'any' };
  }
  if (wide.length === 1) return around.view({ ...schema, type: wide[0] });
  const { title: _title, description: _description, default: _default, examples: _examples, ...rest } = schema;
  return labelled(
    wide.map((type) => ({ schema: { ...rest, type }, at: '' })),
    around,
  );
}

function shapes(branch: unknown): boolean {
  return isObject(branch) && SHAPING.some((keyword) => Object.hasOwn(branch, keyword));
}

/** Unions within a union become branches of it, as long as nothing stands beside them. */
function spread(branches: readonly RawBranch[], root: unknown): readonly RawBranch[] {
  return branches.flatMap((branch) => {
    if (!isObject(branch.schema)) return [branch];
    const flat = flatten(branch.schema, root);
    if (typeof flat === 'string' || flat.nullable) return [branch];
    const inner = own(flat.schema, 'anyOf');
    const alone = Object.keys(flat.schema).every((key) => key === 'anyOf');
    if (!alone || !Array.isArray(inner) || !Object.hasOwn(branch.schema, 'anyOf')) return [branch];
    return inner
      .map((schema, index) => ({ schema, at: `${branch.at}/anyOf/${index}` }))
      .filter(({ schema }) => !isNullSchema(schema));
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

/** What stands beside a union holds for each of its branches. */
function onto(beside: JsonObject, flat: Flat): (branch: RawBranch) => RawBranch {
  const rest = Object.fromEntries(Object.entries(beside).filter(([key]) => !ANNOTATIONS.has(key)));
  // As fields only: what they require is a condition.
  const conditions = flat.conditions.map(({ schema }) => ({ properties: table(schema, 'properties') }));
  if (Object.keys(rest).length === 0 && conditions.length === 0) return (branch) => branch;
  return ({ schema, at }) => ({ schema: { allOf: [rest, ...conditions, schema] }, at });
}
