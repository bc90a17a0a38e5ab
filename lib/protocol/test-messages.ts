import type { Direction } from '@/lib/wire/frame';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { parseType, type TypeNode } from './compile';
import { hasMethod, METHODS } from './methods';
import { type FieldRows, isInVersion } from './rows';
import { SCALARS } from './scalars';
import { ALIASES, OBJECT_SHAPES } from './shapes';

/** A message of the protocol with every optional member. */
export interface FilledMessage {
  readonly method: string;
  readonly direction: Direction;
  readonly params: unknown;
  /** Absent for notifications. */
  readonly result?: unknown;
}

/** Values for types that are not texts. All others get the text. */
const VALUES: Readonly<Record<string, unknown>> = { boolean: true, null: null };

/** Returns every message that a version has, in both directions, with `text` in place of each string. */
export function filledMessages(version: ProtocolVersion, text: string): readonly FilledMessage[] {
  return [...METHODS].flatMap(([method, { kind, params = 'RequestParams', result = 'EmptyResult' }]) => {
    const [all, results] = [filled(params, version, text), filled(result, version, text)];
    const directions = (['to-server', 'to-client'] as const).filter((one) => hasMethod(version, method, one));
    return directions.flatMap((direction) =>
      all.map((one, at) => ({
        method,
        direction,
        params: one,
        ...(kind === 'request' && { result: results[at % results.length] }),
      })),
    );
  });
}

/** Returns a value for each branch of a type. A list has an item for each branch. */
function filled(type: string, version: ProtocolVersion, text: string): readonly unknown[] {
  return branchesOf(parseType(type), 0);

  function branchesOf(node: TypeNode, depth: number): readonly unknown[] {
    if (node.kind === 'union') return node.branches.flatMap((branch) => branchesOf(branch, depth));
    if (node.kind === 'literal') return [node.value];
    if (node.kind === 'excluded' || depth > MOST_DEPTH) return [];
    if (node.kind === 'list') return [branchesOf(node.item, depth + 1)];
    if (node.kind === 'map') {
      const members = branchesOf(node.member, depth + 1);
      return [Object.fromEntries(members.map((member, at) => [at === 0 ? text : `${text} ${at}`, member]))];
    }
    const alias = ALIASES.get(node.name);
    if (alias !== undefined) return branchesOf(rowOf(alias)!, depth);
    const shape = OBJECT_SHAPES.get(node.name);
    if (shape === undefined) return [scalar(node.name)];
    const fields = Object.entries(shape).flatMap(([field, rows]) => {
      const row = rowOf(rows);
      const values = row ? branchesOf(row, depth + 1) : [];
      return values.length > 0 ? [[field.replace(/\?$/, ''), values] as const] : [];
    });
    const count = Math.max(1, ...fields.map(([, values]) => values.length));
    return Array.from({ length: count }, (_, at) =>
      Object.fromEntries([...fields.map(([field, values]) => [field, values[at % values.length]]), [text, text]]),
    );
  }

  function rowOf(rows: FieldRows): TypeNode | undefined {
    if (typeof rows === 'string') return parseType(rows);
    const row = [rows].flat().find((one) => isInVersion(one, version));
    return row && parseType(row.type);
  }

  function scalar(name: string): unknown {
    if (name in VALUES) return VALUES[name];
    if (!SCALARS.has(name)) throw new Error(`No such type: ${name}`);
    if (name === 'object' || name === 'extensions' || name === 'any') return { [text]: { [text]: text } };
    return NUMBERS.has(name) ? 1 : text;
  }
}

const MOST_DEPTH = 12;
const NUMBERS: ReadonlySet<string> = new Set([
  'number',
  'quantity',
  'integer',
  'count',
  'positive',
  'share',
  'milliseconds',
]);
