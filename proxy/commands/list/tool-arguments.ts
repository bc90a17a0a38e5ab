import { isObject, type JsonObject, own } from '@/lib/json/value';
import { resolveReference } from '@/lib/schema/flatten';

/** Schemas of one tool that are read, and how deep within each other. References can lead in circles. */
const MOST_SCHEMAS = 200;
const DEPTH = 6;

/** The arguments that a schema names, and the unions among whose branches they are chosen. */
interface Arguments {
  /** True for a required one, by name. */
  readonly names: Map<string, boolean>;
  /** The branches of each union. */
  readonly unions: (readonly Arguments[])[];
}

/**
 * Formats the argument names of a tool, with a question mark after optional ones: `text, count?`. Those of a union
 * follow as a choice: `id | name, country?`, or `text, (id | name)` beside others.
 */
export function toolArguments(tool: JsonObject): string {
  const schema = own(tool, 'inputSchema');
  return isObject(schema) ? formatArguments(argumentsOf(schema, { root: schema, left: MOST_SCHEMAS }, DEPTH)) : '';
}

/** The whole schema, and how many more parts of it are read. */
interface Reading {
  readonly root: JsonObject;
  left: number;
}

function argumentsOf(schema: JsonObject, reading: Reading, depth: number): Arguments {
  const found: Arguments = { names: new Map(), unions: [] };
  collect(schema, reading, depth, found);
  return found;
}

/** Adds what a schema and everything that it must match as well say. */
function collect(schema: JsonObject, reading: Reading, depth: number, { names, unions }: Arguments): void {
  if (depth === 0 || reading.left-- <= 0) return;
  const properties = own(schema, 'properties');
  const required = listOf(own(schema, 'required')).filter((name) => typeof name === 'string');
  const all = isObject(properties) ? Object.keys(properties) : [];
  for (const name of all) names.set(name, names.get(name) ?? false);
  for (const name of required) names.set(name, true);
  const target = resolveReference(own(schema, '$ref'), schema, reading.root);
  for (const part of [target, ...listOf(own(schema, 'allOf'))])
    if (isObject(part)) collect(part, reading, depth - 1, { names, unions });
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = listOf(own(schema, keyword)).filter(isObject);
    const named = branches.map((branch) => argumentsOf(branch, reading, depth - 1)).filter(hasNames);
    if (named.length > 0) unions.push(named);
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function hasNames({ names, unions }: Arguments): boolean {
  return names.size > 0 || unions.length > 0;
}

function formatArguments({ names, unions }: Arguments): string {
  // A branch that requires an argument says more about it than its place among all.
  const chosen = new Set(unions.flat().flatMap((branch) => [...branch.names.keys()]));
  const plain = [...names].filter(([name, isRequired]) => isRequired || !chosen.has(name)).map(formatName);
  const isAlone = plain.length === 0 && unions.length === 1;
  const choices = unions.map((branches) => {
    const texts = [...new Set(branches.map((branch) => formatArguments(without(branch, names))))].filter(Boolean);
    return isAlone || texts.length === 1 ? texts.join(' | ') : texts.length === 0 ? '' : `(${texts.join(' | ')})`;
  });
  return [...plain, ...choices.filter(Boolean)].join(', ');
}

/** Leaves out of a branch what is required anyway. */
function without(branch: Arguments, names: ReadonlyMap<string, boolean>): Arguments {
  return { ...branch, names: new Map([...branch.names].filter(([name]) => names.get(name) !== true)) };
}

function formatName([name, isRequired]: readonly [string, boolean]): string {
  return isRequired ? name : `${name}?`;
}
