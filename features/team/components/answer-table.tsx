import { useId } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Menu } from '@/components/ui/menu';
import { visibleText } from '@/components/ui/visible-text';
import type { AnswerRow, Source } from '@/features/team/lib/summary/questions/question';
import type { ReportAnswer } from '@/features/team/lib/summary/questions/report';
import { countOf, formatDate } from '@/lib/wire/format';

/** The answer to one question: what it rests on, and its rows. Their texts come from servers and hosts. */
export function AnswerTable({
  answer,
  onOpen,
}: {
  readonly answer: ReportAnswer;
  readonly onOpen: (source: Source) => void;
}) {
  const { title, about, basis, empty, columns, rows, rowsLeftOut } = answer;
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1">
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      <p className="max-w-[90ch] text-small text-muted">{about}</p>
      <p className="text-small break-words text-muted">{visibleText(basis)}</p>
      {rows.length === 0 ? (
        <p className="mt-1 rounded border border-line px-3 py-2 text-muted">{visibleText(empty)}</p>
      ) : (
        <div className="scroll-hint mt-1 overflow-x-auto rounded border border-line">
          <table aria-labelledby={id} className="w-full narrow:w-max narrow:min-w-full">
            <thead className="text-small text-muted">
              <tr>
                {columns.map((column) => (
                  <th
                    key={column.title}
                    scope="col"
                    className={classNames(CELL, 'font-normal whitespace-nowrap', column.isNumber && 'text-right')}
                  >
                    {column.title}
                  </th>
                ))}
                <th scope="col" className={classNames(CELL, 'font-normal')}>
                  Recordings
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows are in their final order and have no state
                <AnswerLine key={at} row={row} columns={columns} onOpen={onOpen} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rowsLeftOut > 0 && <p className="text-small text-muted">{countOf(rowsLeftOut, 'more row')}</p>}
    </section>
  );
}

const CELL = 'px-2 py-1 text-left align-top';

function AnswerLine({
  row,
  columns,
  onOpen,
}: {
  readonly row: AnswerRow;
  readonly columns: ReportAnswer['columns'];
  readonly onOpen: (source: Source) => void;
}) {
  const { cells, tone, sources, recordings } = row;
  const all = countOf(recordings, 'recording');
  const count = sources.length < recordings ? `${sources.length} of ${all}` : all;
  return (
    <tr className={classNames('border-t border-line hover:bg-text/4', tone === 'unsure' && 'text-muted')}>
      {cells.map((cell, at) => (
        <AnswerCell key={columns[at]!.title} text={cell} isFirst={at === 0} isNumber={columns[at]!.isNumber === true} />
      ))}
      <td className={CELL}>
        <Menu
          label={`Open one of ${count}: ${visibleText(cells[0] ?? '')}`}
          items={() => sources.map((source) => ({ label: sourceLabel(source), run: () => onOpen(source) }))}
          className="-my-0.5 inline-flex h-6 items-center rounded whitespace-nowrap text-accent hover:underline"
        >
          {count}
        </Menu>
      </td>
    </tr>
  );
}

function AnswerCell({
  text,
  isFirst,
  isNumber,
}: {
  readonly text: string;
  readonly isFirst: boolean;
  readonly isNumber: boolean;
}) {
  const shown = <bdi>{visibleText(text)}</bdi>;
  if (isNumber) return <td className={classNames(CELL, 'tabular text-right whitespace-nowrap')}>{shown}</td>;
  const className = classNames(CELL, 'max-w-80 min-w-32 break-words');
  if (!isFirst) return <td className={className}>{shown}</td>;
  return (
    <th scope="row" className={classNames(className, 'font-medium')}>
      {shown}
    </th>
  );
}

/** Names a recording by its time, and the frame at which it opens: “2026-01-31 12:00:00, slowest call #12”. */
function sourceLabel({ at, frame, what = '', place }: Source): string {
  const when = formatDate(at) || visibleText(place);
  return frame === undefined ? when : `${when}, ${what} #${frame}`;
}
