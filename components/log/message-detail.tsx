import { type RefObject, useState } from 'react';
import { CopyButton } from '@/components/ui/copy-button';
import { formatBytes, formatDuration, formatTime } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { IconButton } from '@/components/ui/icon-button';
import { Segmented } from '@/components/ui/segmented';
import { visibleText } from '@/components/ui/visible-text';
import type { Problem } from '@/lib/problems/problem';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { FLAG } from '@/lib/wire/frame';
import { FilterMenu } from './filter/filter-menu';
import { FrameProblems } from './frame-problems';
import { HttpDetail } from './http-detail';
import { HttpTravel } from './http-travel';
import { PrettyView } from './pretty-view';
import { RawText } from './raw-text';
import { ResendButton } from './resend-button';
import { directionWords, httpStatusWords, messageWords, statusWords } from './row-words';

const VIEWS = ['Pretty', 'Raw'] as const;

/** Everything about one frame: what it says, its exact bytes, and the other half of its exchange. */
export function MessageDetail({
  log,
  row,
  problems,
  onSelect,
  onClose,
  region,
}: {
  readonly log: Log;
  readonly row: Row;
  readonly problems: readonly Problem[];
  readonly onSelect: (seq: number) => void;
  readonly onClose: () => void;
  readonly region: RefObject<HTMLElement | null>;
}) {
  const [view, setView] = useState<(typeof VIEWS)[number]>('Pretty');
  const index = row.seq - 1;
  const { what, about } = messageWords(row);
  const direction = directionWords(row);
  const status = row.status ? statusWords(row.status) : httpStatusWords(row);
  return (
    <section ref={region} aria-label="Message detail" tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
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
        {row.kind === 'request' && row.direction === 'to-server' && <ResendButton log={log} row={row} />}
        <FilterMenu row={row} />
        <CopyButton label="Copy" text={() => log.text(index)} />
        <IconButton label="Close detail" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <div className="tabular flex min-h-7 shrink-0 flex-wrap items-center gap-x-3 border-b border-line px-2 text-muted">
        <Segmented label="View of the message" names={VIEWS} chosen={view} onChoose={setView} />
        <span>{formatTime(row.time)}</span>
        {row.http?.bytes !== undefined && <span>{formatBytes(row.http.bytes)}</span>}
        {!row.http && <span>{formatBytes(row.bytes)}</span>}
        {row.durationUs !== undefined && <span>{formatDuration(row.durationUs)}</span>}
        {status && <span className={status.colour}>{status.words}</span>}
        {row.peer !== undefined && <PeerLink row={row} peer={row.peer} onSelect={onSelect} />}
      </div>
      <Notes row={row} />
      <FrameProblems problems={problems} />
      {row.channel === 'protocol' && row.exchange !== undefined && (
        <HttpTravel log={log} row={row} onSelect={onSelect} />
      )}
      <div className="min-h-0 flex-1 overflow-auto">
        {view === 'Pretty' && row.http ? (
          <HttpDetail key={row.seq} log={log} row={row} onSelect={onSelect} />
        ) : view === 'Pretty' ? (
          <PrettyView key={row.seq} log={log} row={row} problems={problems} onRaw={() => setView('Raw')} />
        ) : (
          <RawText key={row.seq} bytes={log.bytes(index)} />
        )}
      </div>
    </section>
  );
}

function PeerLink({ row, peer, onSelect }: { row: Row; peer: number; onSelect: (seq: number) => void }) {
  const what = row.kind === 'request' ? 'Answer' : 'Request';
  return (
    <button type="button" onClick={() => onSelect(peer)} className="text-accent underline">
      {what} #{peer}
    </button>
  );
}

/** What is unusual about the bytes themselves. */
function Notes({ row }: { readonly row: Row }) {
  const notes: string[] = [];
  if (row.invalidUtf8) notes.push('Not valid UTF-8. The invalid bytes are marked in Raw.');
  if (row.flags & FLAG.unterminated) notes.push('No line feed ended this frame.');
  if (row.flags & FLAG.continued) notes.push('The line was longer than one frame holds; the next one goes on with it.');
  if (notes.length === 0) return null;
  return <p className="shrink-0 border-b border-line bg-warn/8 px-2 py-1 text-warn">{notes.join(' ')}</p>;
}
