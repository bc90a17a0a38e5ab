import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import {
  type ColumnType,
  KEY_COLUMNS,
  TABLES_VERSION,
  type TableColumn,
  type Value,
} from '@/features/team/lib/tables/columns';

/** Rows per row group, which readers read in parallel. */
const GROUP_ROWS = 50_000;
/** Characters of texts per row group. Rows with long arguments make smaller groups. */
const GROUP_CHARS = 32 * 1024 * 1024;

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const PARQUET_TYPES: Readonly<Record<ColumnType, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT32' },
  bigint: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  // Readers take it for an instant in UTC.
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
};

const IS_BIGINT: ReadonlySet<ColumnType> = new Set(['bigint', 'timestamp']);

/** Writes rows as a Parquet file, compressed by Snappy. Holds the rows of one group. */
export class ParquetFile {
  readonly #columns: readonly TableColumn[];
  readonly #write: (bytes: Uint8Array) => void;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #data: (Value | bigint)[][];
  #rows = 0;
  #chars = 0;

  /** `write` takes the file's bytes in their order. `required`: columns that are never NULL. */
  constructor(columns: readonly TableColumn[], write: (bytes: Uint8Array) => void, required = KEY_COLUMNS) {
    this.#columns = columns;
    this.#write = write;
    this.#data = columns.map(() => []);
    const leaves = columns.map(({ name, type }): SchemaElement => {
      return { name, ...PARQUET_TYPES[type], repetition_type: required.has(name) ? 'REQUIRED' : 'OPTIONAL' };
    });
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'root', num_children: leaves.length }, ...leaves],
      createdBy: 'mcp-inspect',
      kvMetadata: [{ key: 'mcp-inspect.tables', value: String(TABLES_VERSION) }],
    });
  }

  /** Adds a row with a value for each column, by its name. */
  addRow(row: Readonly<Record<string, Value | bigint>>): void {
    for (const [place, { name, type }] of this.#columns.entries()) {
      const value = row[name];
      if (typeof value === 'string') this.#chars += value.length;
      this.#data[place]!.push(typeof value === 'number' && IS_BIGINT.has(type) ? BigInt(Math.round(value)) : value);
    }
    this.#rows++;
    if (this.#rows >= GROUP_ROWS || this.#chars >= GROUP_CHARS) this.#writeGroup();
  }

  /** Writes the rest. */
  end(): void {
    this.#writeGroup();
    void this.#writer.finish();
    this.#flush();
  }

  #writeGroup(): void {
    if (this.#rows === 0) return;
    const columnData = this.#columns.map(({ name }, place) => ({ name, data: this.#data[place]! }));
    void this.#writer.write({ columnData, rowGroupSize: this.#rows });
    this.#flush();
    this.#data = this.#columns.map(() => []);
    this.#rows = 0;
    this.#chars = 0;
  }

  #flush(): void {
    this.#write(this.#bytes.getBytes());
    this.#bytes.index = 0;
  }
}
