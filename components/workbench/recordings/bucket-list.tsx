import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox, Select, TextInput } from '@/components/ui/inputs';
import { EmptyState, ErrorNote, Sentence, Spinner } from '@/components/ui/notices';
import { Progress } from '@/components/ui/progress';
import { useRowWindow } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { type BucketList as List, type ListedRecording, useAskBucket, useBucketRows } from '@/lib/hooks/bucket';
import { useLocation } from '@/lib/hooks/location';
import { countOf, formatCount, formatDate, progressText } from '@/lib/wire/format';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import type { WorkbenchState } from '../use-workbench';
import { BucketActions } from './bucket-actions';
import { SINCE_CHOICES, valueIn, withValue } from './bucket-query';
import { BUCKET_ROW_HEIGHT, BucketHeadings, BucketRow } from './bucket-row';

/** The recordings of the bucket that the command line named: search, open, compare, copy. */
export function BucketList({ workbench }: { readonly workbench: WorkbenchState }) {
  const { q = '', navigate } = useLocation();
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ first: 0, last: 100 });
  const { list, failure, rowAt } = useBucketRows(q, view);
  const ask = useAskBucket();
  const found = list?.found ?? 0;
  const rows = useRowWindow(scroller, { count: found, rowHeight: BUCKET_ROW_HEIGHT });
  const { first, last, top, height } = rows.window;
  if (first !== view.first || last !== view.last) setView({ first, last });
  const [active, setActive] = useState(0);
  const current = Math.min(active, Math.max(0, found - 1));
  /** Chosen recordings by key. They stay chosen when the query changes. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, ListedRecording>>(new Map());
  const [trouble, setTrouble] = useState<Failure>();
  const [done, setDone] = useState('');
  const id = useId();
  const search = (query: string) => {
    navigate({ q: query || undefined }, { replace: true });
    setActive(0);
  };
  const choose = (row: ListedRecording) => {
    const after = new Map(chosen);
    if (!after.delete(row.key)) after.set(row.key, row);
    setChosen(after);
  };
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setTrouble(undefined);
    setDone('');
    try {
      await act();
    } catch (error) {
      if (isFailure(error) && error.code !== 'store-cancelled') setTrouble(error);
    }
  };
  const open = (row: ListedRecording) =>
    attempt(async () => {
      const from = list && `${list.place}/${row.key}`;
      const opened = workbench.connections.find(({ recording }) => recording?.from === from);
      workbench.showAndFocus(opened?.id ?? (await ask({ kind: 'open', key: row.key, whole: false })).connection);
    });
  const compare = (one: ListedRecording, other: ListedRecording) =>
    attempt(async () => {
      // One after the other: a comparison reads all of both.
      const { connection } = await ask({ kind: 'open', key: one.key, whole: true });
      workbench.compareTwo(connection, (await ask({ kind: 'open', key: other.key, whole: true })).connection);
    });
  const save = (wanted: readonly ListedRecording[]) =>
    attempt(async () => {
      for (const { key } of wanted) await ask({ kind: 'save', key });
      setDone(`${countOf(wanted.length, 'recording')} copied to this machine`);
    });
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(found - 1, index));
    setActive(next);
    rows.reveal(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const pageRows = Math.max(1, Math.floor(rows.viewport / BUCKET_ROW_HEIGHT) - 1);
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: found - 1 },
      ...{ PageDown: current + pageRows, PageUp: current - pageRows },
    };
    const row = rowAt(current);
    const to = steps[event.key];
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    if (to !== undefined) moveTo(to);
    else if (event.key === 'Enter' && row) void open(row);
    else if (event.key === ' ' && row) choose(row);
    else return;
    event.preventDefault();
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
            place={list.place}
            chosen={chosen}
            acted={acted}
            done={done}
            onOpen={(one) => void open(one)}
            onCompare={(one, other) => void compare(one, other)}
            onSave={(wanted) => void save(wanted)}
            onClear={() => setChosen(new Map())}
          />
          <div className="@container flex min-h-40 flex-1 flex-col">
            <BucketHeadings />
            <div
              ref={scroller}
              role="listbox"
              aria-label="Recordings of the bucket"
              aria-multiselectable="true"
              aria-activedescendant={`${id}-${current}`}
              tabIndex={0}
              onScroll={rows.onScroll}
              onKeyDown={onKeyDown}
              className="min-h-0 flex-1 overflow-auto border-y border-line"
            >
              <div role="presentation" style={{ height, paddingTop: top }}>
                {Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at).map((index) => {
                  const one = rowAt(index);
                  return (
                    <BucketRow
                      key={index}
                      id={`${id}-${index}`}
                      row={one}
                      position={index + 1}
                      of={found}
                      active={index === current}
                      chosen={one !== undefined && chosen.has(one.key)}
                      onActive={() => setActive(index)}
                      onChoose={() => one && choose(one)}
                      onOpen={() => one && void open(one)}
                    />
                  );
                })}
              </div>
            </div>
          </div>
          <p className="tabular text-small text-muted">
            <span role="status">
              {found === list.known
                ? countOf(found, 'recording')
                : `${formatCount(found)} of ${countOf(list.known, 'recording')}`}
            </span>
            {list.listedAt !== undefined && ` · listed ${formatDate(list.listedAt)}`}
            {list.unlisted > 0 && (
              <span className="text-warn" title="The summary is damaged, newer, or of another recording">
                {' '}
                · {formatCount(list.unlisted)} can’t be listed
              </span>
            )}
          </p>
        </>
      )}
    </>
  );
}

/** The place, the search, and quick filters. */
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
          placeholder="Name, tag, commit or tool:search is:failed"
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
          <Sentence text={list.wrong} draw={visibleText} />
        </p>
      )}
      {list && (
        <p className="basis-full text-muted">
          <span className="font-mono text-wire break-all">{visibleText(list.place)}</span> at {visibleText(list.host)}
        </p>
      )}
    </div>
  );
}

/** What is being read, and why reading ended. */
function BucketNotes({ list, ask }: { readonly list: List; readonly ask: ReturnType<typeof useAskBucket> }) {
  const { filling, downloading, failure, cancelled } = list;
  const cancel = () => void ask({ kind: 'cancel' });
  const fill = () => void ask({ kind: 'fill', all: false });
  return (
    <div className="flex flex-col gap-1 empty:hidden">
      {filling && filling.of > 0 && (
        <Progress
          what="Reading summaries"
          {...filling}
          figures={`${formatCount(filling.done)} of ${formatCount(filling.of)}${filling.listing ? ' or more' : ''}`}
          onCancel={cancel}
        />
      )}
      {downloading && (
        <Progress what="Downloading" {...downloading} figures={progressText(downloading)} onCancel={cancel} />
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
    <EmptyState title="No recordings in this bucket yet">
      To add one: <code>mcp-inspect push FILE {visibleText(list.place)}</code>
    </EmptyState>
  );
}
