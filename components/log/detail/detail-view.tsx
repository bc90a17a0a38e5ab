import { memo, useMemo } from 'react';
import type { Problem } from '@/lib/problems/problem';
import { decodeLossy } from '@/lib/store/classify';
import { requestOf } from '@/lib/store/exchange-parts';
import { JsonOutline } from '@/lib/store/json-outline';
import type { Log } from '@/lib/store/log';
import { fromPointer, type OutlinePath, toPointer } from '@/lib/store/outline-path';
import type { Row } from '@/lib/store/row';
import type { DetailTab } from './detail-tabs';
import { ExchangeView } from './exchange-view';
import { HttpView } from './http-view';
import { markRange } from './pretty/field-marks';
import { PrettyView } from './pretty/pretty-view';
import { type FieldMarks, useFieldMarks } from './pretty/use-field-marks';
import { ProblemsView } from './problems-view';
import type { RawMark } from './raw/raw-runs';
import { RawView } from './raw/raw-view';
import { useOutline } from './use-outline';

/** One tab of a frame's detail. Give it the frame's seq as key. Drawn again only when one of its props is another. */
export const DetailView = memo(function DetailView({
  log,
  row,
  problems,
  tab,
  at,
  onSelect,
  onShow,
}: {
  readonly log: Log;
  readonly row: Row;
  readonly problems: readonly Problem[];
  readonly tab: DetailTab;
  /** Field to go to, as a JSON Pointer. */
  readonly at: string | undefined;
  readonly onSelect: (seq: number) => void;
  /** Shows another tab, and a field in it. */
  readonly onShow: (tab: DetailTab, at?: string) => void;
}) {
  const index = row.seq - 1;
  // The log makes a new view of the same bytes each time.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines of a printed object come later
  const bytes = useMemo(() => log.wholeBytes(index), [log, index, row.printed]);
  const outline = useOutline(bytes);
  const path = useMemo(() => (at === undefined ? undefined : fromPointer(at)), [at]);
  const fields = useFieldMarks(outline, problems);
  const marks = useMemo(() => rawMarks(outline, fields), [outline, fields]);
  const request = requestOf(log, row);
  const showField = (field: OutlinePath) => onShow('pretty', toPointer(field));
  switch (tab) {
    case 'pretty':
      return (
        <PrettyView
          log={log}
          row={row}
          bytes={bytes}
          outline={outline}
          marks={fields}
          at={path}
          onRaw={() => onShow('raw')}
        />
      );
    case 'raw':
      return (
        <RawView
          bytes={bytes}
          text={() => decodeLossy(bytes)}
          name={`frame-${row.seq}${extension(row)}`}
          marks={marks}
        />
      );
    case 'exchange':
      return request === undefined ? null : (
        <ExchangeView log={log} request={request} at={row.seq} onSelect={onSelect} />
      );
    case 'http':
      return <HttpView log={log} row={row} onSelect={onSelect} />;
    case 'problems':
      return <ProblemsView problems={problems} onSelect={onSelect} onField={showField} />;
  }
});

function rawMarks(outline: unknown, marks: FieldMarks): readonly RawMark[] {
  if (!(outline instanceof JsonOutline)) return [];
  return Array.from(marks, ([node, mark]) => ({ ...markRange(outline, node), ...mark })).sort(
    (a, b) => a.from - b.from,
  );
}

function extension({ kind }: Row): string {
  return kind === 'junk' || kind === 'stderr' ? '.txt' : '.json';
}
