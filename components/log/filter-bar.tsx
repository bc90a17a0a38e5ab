import { type ReactNode, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { IconButton } from '@/components/ui/icon-button';
import { useShortcuts } from '@/components/ui/use-shortcuts';
import type { FilterFault } from '@/lib/filter/fault';
import type { RegexTrouble } from '@/lib/filter/regex-search';
import type { Vocabulary } from '@/lib/filter/vocabulary';
import { FilterBox } from './filter/filter-box';
import { FilterHelp } from './filter/filter-help';
import { FilterTrouble } from './filter/filter-trouble';

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
  readonly trouble: RegexTrouble;
  /** What is offered besides keys. */
  readonly vocabulary: Vocabulary;
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
