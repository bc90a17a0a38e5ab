/** A value of a result. A bigint has all its digits. `number`: digits of a decimal. `micros`: since 1970, UTC. */
export type Cell =
  | null
  | boolean
  | number
  | bigint
  | string
  | { readonly number: string }
  | { readonly micros: bigint; readonly text: string }
  | readonly Cell[]
  | { readonly members: readonly (readonly [name: string, value: Cell])[] };

/** Members of the classes of DuckDB that tell them apart. */
interface DuckDbObject {
  readonly items?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>> | readonly { readonly key: unknown; readonly value: unknown }[];
  readonly scale?: number;
  readonly micros?: bigint;
}

/** Turns a value of DuckDB into a cell. Values of other types become text, as DuckDB writes them. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return value as Cell;
  const { items, entries, scale, micros } = value as DuckDbObject;
  if (Array.isArray(items)) return items.map(cellOf);
  if (Array.isArray(entries))
    return { members: entries.map((entry) => [cellText(cellOf(entry.key)), cellOf(entry.value)]) };
  if (entries) return { members: Object.entries(entries).map(([name, each]) => [name, cellOf(each)]) };
  if (scale !== undefined) return { number: String(value) };
  const text = String(value);
  return micros !== undefined && /^\d{4}-\d\d-\d\d \d/.test(text) ? { micros, text } : text;
}

/** Writes a cell as text: NULL as nothing, lists and structs as JSON. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'object') return String(cell);
  if ('number' in cell) return cell.number;
  if ('text' in cell) return cell.text;
  return cellJson(cell);
}

/** Writes a cell as JSON. Times get the form of ISO 8601; numbers keep all digits. */
export function cellJson(cell: Cell): string {
  if (typeof cell === 'bigint') return String(cell);
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : 'null';
  if (cell === null || typeof cell !== 'object') return JSON.stringify(cell);
  if ('number' in cell) return cell.number;
  if ('text' in cell) return JSON.stringify(`${cell.text.replace(' ', 'T')}Z`);
  if ('members' in cell) {
    return `{${cell.members.map(([name, each]) => `${JSON.stringify(name)}:${cellJson(each)}`).join(',')}}`;
  }
  return `[${cell.map(cellJson).join(',')}]`;
}
