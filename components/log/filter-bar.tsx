import { type ReactNode, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { moveFocus } from '@/components/ui/page-focus';
import { ProgressBar, useIsSlow } from '@/components/ui/progress';
import { useShortcuts } from '@/components/ui/shortcuts';
import type { FilterSubject } from '@/lib/filter/keys/filter-key';
import type { FilterFault } from '@/lib/filter/language/grammar';
import type { UnsearchedFrames } from '@/lib/filter/regex-search';
import type { RunningSearch } from '@/lib/hooks/visible-rows';
import { countOf, formatCount } from '@/lib/wire/format';
import { FilterBox } from './filter-box';

interface FilterBarProps {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  /** True while HTTP frames are shown. */
  readonly http: boolean;
  /** Shows or hides HTTP frames; undefined for a transport without HTTP. */
  readonly onHttp: (() => void) | undefined;
  /** Called on Esc in the empty box. */
  readonly onLeave: () => void;
  /** Syntax error of the filter. */
  readonly fault: FilterFault | undefined;
  /** The filter in effect: the last valid one while `filter` has a fault. */
  readonly held: string;
  /** Frames that a regular expression could not be tested on. */
  readonly trouble: UnsearchedFrames;
  /** The log with the values to suggest. */
  readonly subject: FilterSubject;
  /** Number of frames that match. */
  readonly shown: number;
  /** The search, until it has ended. */
  readonly search: RunningSearch | undefined;
  /** Number of old frames whose text can't be searched. */
  readonly unavailable: number;
  /** Number of frames without notes. */
  readonly total: number;
  /** Why frames are hidden, apart from the filter. */
  readonly hidden: 'cleared' | 'http' | undefined;
  /** Before the filter. */
  readonly views: ReactNode;
  /** More buttons. */
  readonly children: ReactNode;
  readonly maximised: boolean;
  readonly onMaximise: () => void;
}

/** The bar above the message table: filter, count and buttons. */
export function FilterBar(props: FilterBarProps) {
  const { filter, onFilter, fault, held, trouble, subject, http, onHttp, onLeave, children, maximised, onMaximise } =
    props;
  const input = useRef<HTMLInputElement>(null);
  const { search } = props;
  const isSlow = useIsSlow(search !== undefined && !search.stopped);
  const cancelSearch = isSlow ? () => search?.stop(true) : undefined;
  useShortcuts(
    [
      {
        keys: '/',
        title: 'Filter messages',
        run: () => {
          moveFocus(input.current);
          input.current?.select();
        },
      },
      { keys: 'm', title: maximised ? 'Restore the message log’s size' : 'Maximise the message log', run: onMaximise },
      ...(onHttp ? [{ keys: 'h', title: http ? 'Hide HTTP in the log' : 'Show HTTP in the log', run: onHttp }] : []),
    ],
    'Message log',
  );
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line bg-surface px-2 narrow:h-auto narrow:flex-wrap narrow:py-1">
      {props.views}
      <FilterBox
        ref={input}
        label="Filter messages"
        placeholder="Filter: words, method:tools/*, -kind:stderr, duration:&gt;500ms"
        filter={filter}
        onFilter={onFilter}
        fault={fault}
        faultText={fault && filterFaultText(fault, held)}
        subject={subject}
        onLeave={onLeave}
        onCancelSearch={cancelSearch}
        className="max-w-[520px] min-w-72 flex-[2_1_0] narrow:max-w-none"
      />
      {onHttp && (
        <Button
          size="small"
          aria-pressed={http}
          title="HTTP requests, responses and streams (failures are always shown)"
          onClick={onHttp}
          className="text-muted aria-pressed:border-accent aria-pressed:bg-accent/12 aria-pressed:text-text"
        >
          HTTP
        </Button>
      )}
      <RegexTrouble trouble={trouble} />
      {props.unavailable > 0 && (
        <p
          role="status"
          title="Nobody has the text of these old frames any more. Filter keys still apply to them."
          className="min-w-0 flex-[1_1_0] truncate text-warn"
        >
          ! {countOf(props.unavailable, 'frame')} can’t be searched
        </p>
      )}
      <div className="ml-auto flex min-w-0 shrink-0 items-center gap-2 narrow:w-full narrow:justify-end">
        {search && (search.stopped || isSlow) ? (
          <SearchProgress search={search} />
        ) : (
          <span className="tabular text-muted">{countLabel(props)}</span>
        )}
        {children}
      </div>
    </div>
  );
}

/** Says what is wrong with a filter, and which filter is in effect until it is fixed. */
export function filterFaultText({ message }: FilterFault, held: string): string {
  return `${message} ${held === '' ? 'Showing all messages.' : `Still filtering by “${held}”.`}`;
}

/** How far the search is, and a button that stops it or goes on with it. */
function SearchProgress({ search: { done, of, stopped, stop } }: { readonly search: RunningSearch }) {
  const figures = `${formatCount(done)} of ${formatCount(of)}`;
  return (
    <span className="ml-auto flex min-w-0 items-center gap-2">
      <span role="status" className={classNames('truncate', stopped ? 'text-warn' : 'text-muted')}>
        {stopped ? '! Search stopped at' : 'Searching'}
      </span>
      <span className="tabular shrink-0 text-muted">{figures}</span>
      {!stopped && <ProgressBar label="Searching" done={done} of={of} figures={figures} />}
      <Button size="small" onClick={() => stop(!stopped)}>
        {stopped ? 'Search the rest' : 'Cancel'}
      </Button>
    </span>
  );
}

type Counted = Pick<FilterBarProps, 'shown' | 'total' | 'hidden'>;

function countLabel({ shown, total, hidden }: Counted): string {
  if (hidden === 'cleared') return `${formatCount(shown)} since the view was cleared`;
  return shown === total ? countOf(total, 'frame') : `${formatCount(shown)} of ${formatCount(total)}`;
}

/** Names the frames on which a regular expression failed, and says what to do. Empty if there are none. */
function RegexTrouble({ trouble }: { readonly trouble: UnsearchedFrames }) {
  const text = regexTroubleText(trouble);
  return (
    <p role="status" title={text} className="min-w-0 flex-[1_1_0] truncate text-warn empty:hidden">
      {text}
    </p>
  );
}

/** Most frames to name one by one. */
const NAMED_FRAMES = 5;

function regexTroubleText({ skipped, failed, stopped }: UnsearchedFrames): string {
  if (stopped === 'no-worker') return 'Searching by regular expression failed to load. Reload the page.';
  const outcome = stopped ? 'so the search was stopped' : 'which counts as no match';
  const sentences = [];
  if (skipped.length > 0)
    sentences.push(`The expression took too long on ${frameList(skipped)}, ${outcome}. Avoid nested repeats.`);
  if (failed.length > 0)
    sentences.push(
      `The expression ran out of memory on ${frameList(failed)}, which counts as no match. Avoid repeated groups.`,
    );
  return sentences.join(' ');
}

function frameList(seqs: readonly number[]): string {
  const more = seqs.length > NAMED_FRAMES ? ` and ${seqs.length - NAMED_FRAMES} more` : '';
  return `${seqs.length === 1 ? 'frame' : 'frames'} ${seqs.slice(0, NAMED_FRAMES).join(', ')}${more}`;
}
