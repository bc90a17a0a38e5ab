import { type RefObject, useMemo, useRef } from 'react';
import { UnmatchedNote } from '@/components/exchange/unmatched-note';
import { BytesAway } from '@/components/ui/bytes-away';
import { formatDuration, formatTime } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { IconButton } from '@/components/ui/icon-button';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { visibleText } from '@/components/ui/visible-text';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useFrameBytes } from '@/lib/hooks/use-frame-bytes';
import { useNote } from '@/lib/hooks/use-note';
import type { Problem } from '@/lib/problems/problem';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { messageWords, wholeSize } from '@/lib/store/row-words';
import { formatBytes } from '@/lib/wire/format-bytes';
import { FLAG } from '@/lib/wire/frame';
import { NoteButtons } from '../notes/note-buttons';
import { NoteLine } from '../notes/note-line';
import { directionWords, rowStatus } from '../row-words';
import { DetailActions, type RowActions } from './detail-actions';
import { DetailCommands } from './detail-commands';
import { type DetailTab, tabOf, tabsOf } from './detail-tabs';
import { DetailView } from './detail-view';
import { isSameRow } from './same-row';

/** Everything about one frame: what it says, its exact bytes, its exchange, how it travelled, and what is wrong with it. */
export function MessageDetail({
  id,
  label,
  log,
  row: current,
  problems: found,
  view,
  at,
  actions,
  onShow,
  onSelect,
  onClose,
  region,
}: {
  /** Of its tabs. */
  readonly id: string;
  /** Names the region. */
  readonly label: string;
  readonly log: Log;
  readonly row: Row;
  readonly problems: readonly Problem[];
  /** Tab that is wanted; a frame may have none like it. */
  readonly view: string | undefined;
  /** Field to go to, as a JSON Pointer. */
  readonly at: string | undefined;
  readonly actions: RowActions;
  readonly onShow: (tab: DetailTab, at?: string) => void;
  readonly onSelect: (seq: number) => void;
  readonly onClose: () => void;
  readonly region: RefObject<HTMLElement | null>;
}) {
  const row = useSameRow(current);
  const bytes = useFrameBytes(log, [row.seq]);
  const noting = useNote(log, row.seq);
  const tab = tabOf(row, log, view);
  const problems = useSame(found);
  const { what, about } = messageWords(row);
  const direction = directionWords(row);
  return (
    <section ref={region} aria-label={label} tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
      <header className="flex h-8 shrink-0 items-center gap-2 border-b border-line px-2">
        <span className="tabular text-muted">#{row.seq}</span>
        <span className={direction.colour} title={direction.words}>
          <span aria-hidden="true">{direction.glyph}</span>
          <span className="sr-only">{direction.words}</span>
        </span>
        <h2 className="min-w-0 flex-1 truncate font-mono text-wire">
          {visibleText(what.slice(0, 200))}{' '}
          {about !== undefined && <bdi className="text-muted">{visibleText(about.slice(0, 200))}</bdi>}
        </h2>
        {bytes === 'here' && <DetailActions log={log} row={row} actions={actions} />}
        {id === 'detail' && <DetailCommands log={log} row={row} onSelect={onSelect} />}
        {row.kind !== 'note' && <NoteButtons about={noting} keys={id === 'detail'} />}
        <IconButton label={actions.pins.includes(row.seq) ? 'Unpin and close' : 'Close detail'} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-3 border-b border-line px-2">
        <Tabs
          id={id}
          label={`Views: ${label}`}
          items={tabsOf(row, log).map((item) => ({
            id: item.id,
            title: item.title,
            badge: item.id === 'problems' && problems.length > 0 ? problems.length : undefined,
          }))}
          selected={tab}
          onSelect={(next) => onShow(next)}
        />
        <Facts row={row} onSelect={onSelect} />
      </div>
      <Oddities row={row} onSelect={onSelect} />
      {row.unmatched !== undefined && (
        <UnmatchedNote
          log={log}
          exchange={log.exchange(Math.min(row.seq, row.unmatched))}
          at={row.unmatched > row.seq ? 'request' : 'answer'}
        />
      )}
      <NoteLine log={log} seq={row.seq} about={noting} />
      <TabPanel tabs={id} selected={tab} className="flex min-h-0 flex-1 flex-col">
        {bytes !== 'here' && (tab === 'pretty' || tab === 'raw') ? (
          <BytesAway gone={bytes === 'gone'} />
        ) : (
          <RenderGuard
            about={`${row.seq} ${tab}`}
            fallback={<p className="p-2 text-warn">! This can’t be drawn. Look at the frame in another tab.</p>}
          >
            <DetailView
              key={`${row.seq} ${bytes}`}
              log={log}
              row={row}
              problems={problems}
              tab={tab}
              at={at}
              onSelect={onSelect}
              onShow={onShow}
            />
          </RenderGuard>
        )}
      </TabPanel>
    </section>
  );
}

/** The same array while it holds the same problems: what is made of it is made once. */
function useSame(problems: readonly Problem[]): readonly Problem[] {
  const key = problems.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a problem with one id says the same of one frame
  return useMemo(() => problems, [key]);
}

/** The same row while nothing in it changes: the log makes a new one whenever it is asked. */
function useSameRow(row: Row): Row {
  const known = useRef(row);
  if (!isSameRow(row, known.current)) known.current = row;
  return known.current;
}

/** When, how large, how long, how it went, and the other half. */
function Facts({ row, onSelect }: { readonly row: Row; readonly onSelect: (seq: number) => void }) {
  const status = rowStatus(row);
  const bytes = row.http ? row.http.bytes : wholeSize(row);
  return (
    <p className="tabular flex min-h-7 flex-wrap items-center gap-x-3 text-muted">
      <span>{formatTime(row.time)}</span>
      {bytes !== undefined && <span>{formatBytes(bytes)}</span>}
      {row.durationUs !== undefined && <span>{formatDuration(row.durationUs)}</span>}
      {status && <span className={status.colour}>{status.words}</span>}
      {row.peer !== undefined && (
        <button type="button" onClick={() => onSelect(row.peer!)} className="text-accent underline">
          {row.kind === 'request' ? 'Answer' : 'Request'} #{row.peer}
        </button>
      )}
    </p>
  );
}

/** What is unusual about the bytes themselves. */
function Oddities({ row, onSelect }: { readonly row: Row; readonly onSelect: (seq: number) => void }) {
  const notes: string[] = [];
  const { printed } = row;
  const first = printed?.lines[0];
  if (printed && first === row.seq && row.unmatched === undefined)
    notes.push(`Printed over ${printed.lines.length} lines. A message must be one line.`);
  if (row.invalidUtf8) notes.push('Not valid UTF-8. The invalid bytes are marked in Raw.');
  if (row.flags & FLAG.unterminated) notes.push('No line feed ended this frame.');
  if (row.flags & FLAG.continued) notes.push('The line was longer than one frame holds; the next one goes on with it.');
  const isLine = printed !== undefined && first !== row.seq;
  if (notes.length === 0 && !isLine) return null;
  return (
    <p className="shrink-0 border-b border-line bg-warn/8 px-2 py-1 text-warn">
      {notes.join(' ')}
      {isLine && (
        <>
          Line {printed.lines.indexOf(row.seq) + 1} of {printed.lines.length} of{' '}
          <button type="button" onClick={() => onSelect(first!)} className="tabular underline">
            printed object #{first}
          </button>
        </>
      )}
    </p>
  );
}
