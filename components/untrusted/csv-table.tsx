import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { countOf } from '@/lib/wire/format';
import { readCsv } from './csv';
import { UntrustedText } from './untrusted-text';

/** Rows shown at first, and added by each press of "more". */
const ROWS = 100;
/** Most columns to draw, and characters of a value before "more". */
const MOST_COLUMNS = 50;
const VALUE_CHARACTERS = 200;

/** CSV as a table with its first row as the head. The rest of a wide row is in the text. */
export default function CsvTable({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(ROWS);
  // One more for the head.
  const { rows, more } = useMemo(() => readCsv(text, shown + 1), [text, shown]);
  const [head = [], ...body] = rows;
  const widest = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Array.from({ length: Math.min(widest, MOST_COLUMNS) }, (_, column) => column);
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
      <section aria-label="Table" tabIndex={0} className="max-h-96 w-fit max-w-full overflow-auto border border-line">
        <table className="border-separate border-spacing-0 font-mono text-wire">
          <thead className="sticky top-0 bg-surface">
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className="border-b border-line px-2 text-left font-medium">
                  <UntrustedText text={head[column] ?? ''} limit={VALUE_CHARACTERS} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column} className="max-w-[40ch] border-b border-line px-2 align-top">
                    <UntrustedText text={row[column] ?? ''} limit={VALUE_CHARACTERS} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="flex items-center gap-2 text-muted">
        <span>{countOf(body.length, 'row')}</span>
        {more && (
          <Button size="small" onClick={() => setShown(shown + ROWS)}>
            Show more rows
          </Button>
        )}
        {widest > MOST_COLUMNS && <span>{countOf(widest - MOST_COLUMNS, 'more column')} under Text</span>}
      </p>
    </div>
  );
}
