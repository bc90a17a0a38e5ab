import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox, Select, TextInput } from '@/components/ui/inputs';
import { EmptyState, ErrorNote, Sentence, Spinner } from '@/components/ui/notices';
import { WorkProgress } from '@/components/ui/progress';
import { useRowWindow } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import type { RecordingsTabProps } from '@/features/page-feature';
import type { BucketListing as List } from '@/features/team/lib/summary/bucket-api';
import type { ListedRecording } from '@/features/team/lib/summary/listed-recording';
import { useLocation } from '@/lib/hooks/location';
import { countOf, formatCount, formatDate, progressText } from '@/lib/wire/format';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { BucketActions } from './bucket-actions';
import { SINCE_CHOICES, valueIn, withValue } from './bucket-query';
import { BucketHeadings, BucketRow, useBucketRowHeight } from './bucket-row';
import { type AskBucket, useAskBucket, useBucketRows } from './use-bucket';

/** The recordings of the bucket that the command line named: search, open, compare, copy. */
export function BucketList(connections: RecordingsTabProps) {
  const { q = '', navigate } = useLocation();
  const [view, setView] = useState(FIRST_VIEW);
  const { list, failure, rowAt } = useBucketRows(q, view);
  const ask = useAskBucket();
  const { actions, trouble, done } = useBucketActions(connections, ask);
  /** Chosen recordings by key. They stay chosen when the query changes. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, ListedRecording>>(new Map());
  const [active, setActive] = useState(0);
  const found = list?.found ?? 0;
  const current = Math.min(active, Math.max(0, found - 1));
  const search = (query: string) => {
    navigate({ q: query || undefined }, { replace: true });
    setActive(0);
  };
  const choose = (row: ListedRecording) => {
    const after = new Map(chosen);
    if (!after.delete(row.key)) after.set(row.key, row);
    setChosen(after);
  };
  const row = rowAt(current);
  const acted = chosen.size > 0 ? [...chosen.values()] : row && found > 0 ? [row] : [];
  return (
    <>
      <BucketBar query={q} list={list} onSearch={search} onRefresh={() => void ask({ kind: 'fill', all: true })} />
      {failure && <ErrorNote codeless failure={failure} />}
      {trouble && <ErrorNote codeless failure={trouble} />}
      {list && <BucketNotes list={list} ask={ask} />}
      {!list && !failure && <Spinner label="Loading recordings" />}
      {list && found === 0 && <Nothing list={list} query={q} onClear={() => search('')} />}
      {list && found > 0 && (
        <>
          <BucketActions
            {...{ place: list.place, chosen, acted, done, ...actions }}
            onClear={() => setChosen(new Map())}
          />
          <BucketRows
            {...{ found, rowAt, current, chosen }}
            onView={setView}
            onActive={setActive}
            onChoose={choose}
            onOpen={actions.onOpen}
          />
        </>
      )}
      {list && <BucketFacts list={list} />}
    </>
  );
}

const FIRST_VIEW = { first: 0, last: 100 };

/** The actions on recordings of the bucket, the failure of the last one, and what it did. */
function useBucketActions({ onOpened, onCompareTwo }: RecordingsTabProps, ask: AskBucket) {
  const [trouble, setTrouble] = useState<Failure>();
  const [done, setDone] = useState('');
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setTrouble(undefined);
    setDone('');
    try {
      await act();
    } catch (error) {
      if (isFailure(error) && error.code !== 'store-cancelled') setTrouble(error);
    }
  };
  const actions = {
    onOpen: (row: ListedRecording) =>
      void attempt(async () => {
        onOpened((await ask({ kind: 'open', key: row.key, whole: false })).connection);
      }),
    onCompare: (one: ListedRecording, other: ListedRecording) =>
      void attempt(async () => {
        // One after the other. A comparison reads all of both.
        const { connection } = await ask({ kind: 'open', key: one.key, whole: true });
        onCompareTwo(connection, (await ask({ kind: 'open', key: other.key, whole: true })).connection);
      }),
    onSave: (rows: readonly ListedRecording[]) =>
      void attempt(async () => {
        for (const { key } of rows) await ask({ kind: 'save', key });
        setDone(`${countOf(rows.length, 'recording')} copied to this machine`);
      }),
  };
  return { actions, trouble, done };
}

/** The rows. Only those in view are drawn. Arrow keys move the cursor, Enter opens, Space chooses. */
function BucketRows({
  found,
  rowAt,
  current,
  chosen,
  onView,
  onActive,
  onChoose,
  onOpen,
}: {
  readonly found: number;
  readonly rowAt: (index: number) => ListedRecording | undefined;
  readonly current: number;
  readonly chosen: ReadonlyMap<string, ListedRecording>;
  /** Called with the rows in view. */
  readonly onView: (view: typeof FIRST_VIEW) => void;
  readonly onActive: (index: number) => void;
  readonly onChoose: (row: ListedRecording) => void;
  readonly onOpen: (row: ListedRecording) => void;
}) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useBucketRowHeight();
  const rows = useRowWindow(scroller, { count: found, rowHeight });
  const { first, last, top, height } = rows.window;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are asked for only when others are in view
  useEffect(() => onView({ first, last }), [first, last]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const pageRows = Math.max(1, Math.floor(rows.viewport / rowHeight) - 1);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      Home: 0,
      End: found - 1,
      PageDown: current + pageRows,
      PageUp: current - pageRows,
    };
    const row = rowAt(current);
    const target = targets[event.key];
    if (target !== undefined) {
      const next = Math.max(0, Math.min(found - 1, target));
      onActive(next);
      rows.reveal(next);
    } else if (event.key === 'Enter' && row) onOpen(row);
    else if (event.key === ' ' && row) onChoose(row);
    else return;
    event.preventDefault();
  };
  return (
    <div className="@container flex min-h-40 flex-1 flex-col">
      <BucketHeadings />
      <div
        ref={scroller}
        role="listbox"
        aria-label="Recordings in the bucket"
        aria-multiselectable="true"
        aria-activedescendant={`${id}-${current}`}
        tabIndex={0}
        onScroll={rows.onScroll}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-auto border-y border-line"
      >
        <div role="presentation" style={{ height, paddingTop: top }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at).map((index) => {
            const row = rowAt(index);
            return (
              <BucketRow
                key={index}
                id={`${id}-${index}`}
                row={row}
                height={rowHeight}
                position={index + 1}
                of={found}
                active={index === current}
                chosen={row !== undefined && chosen.has(row.key)}
                onActive={() => onActive(index)}
                onChoose={() => row && onChoose(row)}
                onOpen={() => row && onOpen(row)}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** How many there are, where, and since when that is known. */
function BucketFacts({ list: { found, known, place, host, checkedAt, unlisted } }: { readonly list: List }) {
  return (
    <p className="tabular text-small text-muted">
      <span role="status">
        {found === known ? countOf(found, 'recording') : `${formatCount(found)} of ${countOf(known, 'recording')}`}
      </span>{' '}
      in <span className="font-mono break-all">{visibleText(place)}</span> at {visibleText(host)}
      {checkedAt !== undefined && ` · checked for new ones ${formatDate(checkedAt)}`}
      {unlisted > 0 && (
        <span className="text-warn" title="The summary is damaged, newer, or of another recording">
          {' '}
          · {formatCount(unlisted)} can’t be listed
        </span>
      )}
    </p>
  );
}

/** The search, and quick filters. */
function BucketBar({
  query,
  list,
  onSearch,
  onRefresh,
}: {
  readonly query: string;
  readonly list: List | undefined;
  readonly onSearch: (query: string) => void;
  readonly onRefresh: () => void;
}) {
  const wrongId = useId();
  const since = valueIn(query, 'since');
  const choices = SINCE_CHOICES.some(({ value }) => value === since)
    ? SINCE_CHOICES
    : [...SINCE_CHOICES, { value: since, label: `Since ${since}` }];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="min-w-0 flex-1 basis-72">
        <TextInput
          type="search"
          aria-label="Search the bucket"
          placeholder="Search, e.g. tool:search is:failed"
          title="Keys: server: tool: host: tag: author: commit: since: until: is:failed is:ok"
          value={query}
          onChange={onSearch}
          maxLength={500}
          aria-invalid={list?.wrong !== undefined}
          aria-describedby={list?.wrong === undefined ? undefined : wrongId}
          autoFocus
        />
      </div>
      <Select
        aria-label="Started"
        value={since}
        options={choices}
        className="w-auto!"
        onChange={(value) => onSearch(withValue(query, 'since', value))}
      />
      <Checkbox
        label="With errors"
        checked={valueIn(query, 'is') === 'failed'}
        onChange={(wanted) => onSearch(withValue(query, 'is', wanted ? 'failed' : ''))}
      />
      <Button onClick={onRefresh} disabled={list?.filling !== undefined} title="List the whole bucket again">
        Refresh
      </Button>
      {list?.wrong !== undefined && (
        <p id={wrongId} role="alert" className="basis-full text-error">
          <Sentence text={list.wrong} />
        </p>
      )}
    </div>
  );
}

/** The progress of reading, and why it ended. */
function BucketNotes({ list, ask }: { readonly list: List; readonly ask: AskBucket }) {
  const { filling, downloading, failure, cancelled } = list;
  const cancel = () => void ask({ kind: 'cancel' });
  const fill = () => void ask({ kind: 'fill', all: false });
  return (
    <div className="flex flex-col gap-1 empty:hidden">
      {filling && filling.of > 0 && (
        <WorkProgress
          what="Reading summaries"
          {...(!filling.listing && filling)}
          figures={`${formatCount(filling.done)} of ${formatCount(filling.of)}${filling.listing ? ' or more' : ''}`}
          onCancel={cancel}
        />
      )}
      {downloading && (
        <WorkProgress what="Downloading" {...downloading} figures={progressText(downloading)} onCancel={cancel} />
      )}
      {failure && (
        <ErrorNote codeless failure={failure}>
          <Button size="small" onClick={fill}>
            Try again
          </Button>
        </ErrorNote>
      )}
      {cancelled && (
        <p role="status" className="flex flex-wrap items-center gap-2 text-muted">
          You stopped reading. {countOf(list.known, 'recording')} can be searched.
          <Button size="small" onClick={fill}>
            Continue
          </Button>
        </p>
      )}
    </div>
  );
}

function Nothing({
  list,
  query,
  onClear,
}: {
  readonly list: List;
  readonly query: string;
  readonly onClear: () => void;
}) {
  if (query !== '' && list.known > 0) {
    return (
      <EmptyState title="No recording matches your search">
        <Button onClick={onClear}>Clear search</Button>
      </EmptyState>
    );
  }
  if (list.filling) return <EmptyState title="Listing the bucket…" />;
  if (list.failure || list.cancelled) return null;
  return (
    <EmptyState title={`No recordings in ${visibleText(list.place)}`}>
      Check the prefix if there should be some. To add one:{' '}
      <code>mcp-inspect recordings push FILE {visibleText(list.place)}</code>
    </EmptyState>
  );
}
