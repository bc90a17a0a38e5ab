import { type ReactNode, useRef, useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { useShortcuts } from '@/components/ui/shortcuts';
import { type LogValues, NUMBER_HELP, SYNTAX_HELP } from '@/lib/filter/complete';
import { KEYS } from '@/lib/filter/keys/registry';
import type { FilterFault } from '@/lib/filter/parse';
import type { UnsearchedFrames } from '@/lib/filter/regex-search';
import { formatCount } from '@/lib/wire/format';
import { FilterBox } from './filter-box';

interface FilterBarProps {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  /** HTTP is shown besides messages. */
  readonly http: boolean;
  /** Shows or hides it; undefined where there is none. */
  readonly onHttp: (() => void) | undefined;
  /** Esc in the empty box. */
  readonly onLeave: () => void;
  /** What is wrong with the filter. */
  readonly fault: FilterFault | undefined;
  /** The filter that what is shown fits: another one while this has a fault. */
  readonly held: string;
  /** What it could not be held against. */
  readonly trouble: UnsearchedFrames;
  /** What is offered besides keys. */
  readonly vocabulary: LogValues;
  readonly shown: number;
  /** Frames looked at, while some are not. */
  readonly searched: number | undefined;
  /** The oldest frames, in whose text words were not looked for. */
  readonly unsearched: number;
  readonly total: number;
  /** Why some are not shown, besides the filter. */
  readonly hidden: 'cleared' | 'http' | undefined;
  /** What else can be done to the table. */
  readonly children: ReactNode;
  readonly maximised: boolean;
  readonly onMaximise: () => void;
}

/** Above the message table: what is shown of how many, whether it follows, how large it is. */
export function FilterBar(props: FilterBarProps) {
  const { filter, onFilter, fault, held, trouble, vocabulary, http, onHttp, onLeave, children, maximised, onMaximise } =
    props;
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([
    {
      keys: '/',
      title: 'Filter the messages',
      run: () => {
        input.current?.focus();
        input.current?.select();
      },
    },
    { keys: 'm', title: maximised ? 'Give the panel its place back' : 'Maximise the message log', run: onMaximise },
    ...(onHttp ? [{ keys: 'h', title: http ? 'Hide HTTP in the log' : 'Show HTTP in the log', run: onHttp }] : []),
  ]);
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line bg-surface px-2">
      <FilterBox
        ref={input}
        filter={filter}
        onFilter={onFilter}
        fault={fault}
        held={held}
        vocabulary={vocabulary}
        onLeave={onLeave}
      />
      <FilterHelp />
      {onHttp && (
        <Button
          size="small"
          aria-pressed={http}
          title="Requests, responses and streams that the messages travel on; failures are always shown"
          onClick={onHttp}
          className="text-muted aria-pressed:border-accent aria-pressed:bg-accent/12 aria-pressed:text-text"
        >
          HTTP
        </Button>
      )}
      <FilterTrouble trouble={trouble} />
      {props.unsearched > 0 && (
        <p
          role="status"
          title="The text of older messages left this page, and is brought back to be searched. Keys, methods and names were looked for in all of them."
          className="min-w-0 flex-[1_1_0] truncate text-warn"
        >
          ! Words were not looked for in {formatCount(props.unsearched)} yet
        </p>
      )}
      <span className={classNames('tabular ml-auto shrink-0 text-muted', fault && 'opacity-50')}>
        {countWords(props)}
      </span>
      {children}
      <IconButton label={maximised ? 'Restore the log’s size' : 'Maximise the log'} onClick={onMaximise}>
        <Icon name={maximised ? 'restore' : 'maximise'} />
      </IconButton>
    </div>
  );
}

type Counted = Pick<FilterBarProps, 'filter' | 'shown' | 'total' | 'searched' | 'hidden'>;

function countWords({ filter, shown, total, searched, hidden }: Counted): string {
  if (searched !== undefined) return `searching ${formatCount(searched)} of ${formatCount(total)}…`;
  if (hidden === 'cleared') return `${formatCount(shown)} since the view was cleared`;
  if (shown === total || (filter === '' && hidden === 'http')) return `${formatCount(shown)} messages`;
  return `${formatCount(shown)} of ${formatCount(total)}`;
}

/** Says where a regular expression of the filter hung, and what to do. Nothing, where none did. */
function FilterTrouble({ trouble }: { readonly trouble: UnsearchedFrames }) {
  const words = troubleWords(trouble);
  return (
    <p role="status" title={words} className="min-w-0 flex-[1_1_0] truncate text-warn empty:hidden">
      {words}
    </p>
  );
}

/** Frames that are named one by one. */
const NAMED = 5;

function troubleWords({ skipped, failed, stopped }: UnsearchedFrames): string {
  if (stopped === 'no-worker')
    return 'The part of the page that searches by expressions did not load or broke down. Load the page again.';
  const outcome = stopped ? 'so the search was stopped' : 'which counts as no match';
  const words = [];
  if (skipped.length > 0)
    words.push(
      `The expression took too long on ${framesOf(skipped)}, ${outcome}. Write it without repeats within repeats.`,
    );
  if (failed.length > 0)
    words.push(
      `The expression ran out of memory on ${framesOf(failed)}, which counts as no match. Write it without repeated groups.`,
    );
  return words.join(' ');
}

function framesOf(seqs: readonly number[]): string {
  const more = seqs.length > NAMED ? ` and ${seqs.length - NAMED} more` : '';
  return `${seqs.length === 1 ? 'frame' : 'frames'} ${seqs.slice(0, NAMED).join(', ')}${more}`;
}

/** The button that explains the filter language. */
function FilterHelp() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label="What the filter understands" onClick={() => setOpen(true)}>
        ?
      </IconButton>
      {open && (
        <Dialog title="What the filter understands" width="wide" onClose={() => setOpen(false)}>
          <Lines title="Text" lines={SYNTAX_HELP} />
          <Lines
            title="Keys"
            lines={[...KEYS.values()].map(({ name, meaning, examples }) => [
              `${name}:`,
              `${meaning}: ${examples.map((value) => `\`${value}\``).join(' ')}`,
            ])}
          />
          <Lines title="Numbers" lines={NUMBER_HELP} />
        </Dialog>
      )}
    </>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly (readonly [string, string])[] }) {
  return (
    <section className="mb-3">
      <h3 className="mb-1 font-medium">{title}</h3>
      <dl className="grid grid-cols-[200px_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {lines.map(([text, meaning]) => (
          <div key={text} className="col-span-2 grid grid-cols-subgrid border-b border-line/60 py-0.5">
            <dt className="font-mono text-wire">{text}</dt>
            <dd className="text-muted">
              <WithCode text={meaning} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What stands between backticks is what may be typed. */
function WithCode({ text }: { readonly text: string }) {
  return text.split('`').map((piece, at) =>
    at % 2 === 0 ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which does not change
      <code key={at} className="text-text">
        {piece}
      </code>
    ),
  );
}
