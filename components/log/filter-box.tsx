import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { IconButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { type ComboboxOption, OptionList } from '@/components/ui/combobox';
import { Icon } from '@/components/ui/icon';
import { FIELD } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { type Completion, complete, type LogValues } from '@/lib/filter/complete';
import type { FilterFault } from '@/lib/filter/parse';
import { useDraft } from '@/lib/hooks/drafts';

interface FilterBoxProps {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  /** What is wrong with it. */
  readonly fault: FilterFault | undefined;
  /** The filter whose rows are shown meanwhile. */
  readonly held: string;
  /** What is offered besides keys. */
  readonly vocabulary: LogValues;
  /** Esc in the empty box. */
  readonly onLeave: () => void;
  readonly ref: RefObject<HTMLInputElement | null>;
}

const NOTHING: Completion = { from: 0, to: 0, options: [] };

/** Where the filter is typed. Down offers what may be written, up what was; Enter or Tab takes it. */
export function FilterBox({ filter, onFilter, fault, held, vocabulary, onLeave, ref }: FilterBoxProps) {
  const [list, setList] = useState<'choices' | 'recent'>();
  const [active, setActive] = useState(-1);
  const [caret, setCaret] = useState(0);
  const [scrolled, setScrolled] = useState(0);
  const [recent, remember] = useRecentFilters();
  const listId = useId();
  const faultId = useId();
  const nextCaret = useRef<number>(undefined);
  // The caret goes behind what was taken once that is there.
  useLayoutEffect(() => {
    if (nextCaret.current === undefined) return;
    ref.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = undefined;
  });

  // As of when it was asked for: what comes meanwhile must not push another option under the finger.
  const completion = useMemo(
    () => (list === 'choices' ? complete(filter, caret, vocabulary) : NOTHING),
    [list, filter, caret, vocabulary],
  );
  const texts = list === 'recent' ? recent.map((text) => ({ text, note: undefined })) : completion.options;
  const options = texts.map(({ text, note }) => ({ key: text, label: <code>{visibleText(text)}</code>, note }));
  const shown = list !== undefined && options.length > 0;

  const close = () => {
    setList(undefined);
    setActive(-1);
  };
  const open = (which: 'choices' | 'recent', first: number) => {
    setCaret(ref.current?.selectionStart ?? filter.length);
    setList(which);
    setActive(first);
  };
  const leave = () => {
    close();
    if (!fault) remember(filter);
  };
  const take = ({ key: text }: ComboboxOption) => {
    const [from, to] = list === 'recent' ? [0, filter.length] : [completion.from, completion.to];
    const end = from + text.length;
    nextCaret.current = end;
    setCaret(end);
    setActive(-1);
    // Behind a key its values are offered.
    if (list === 'recent' || !text.endsWith(':')) setList(undefined);
    onFilter(filter.slice(0, from) + text + filter.slice(to));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (!shown) open(key === 'ArrowDown' ? 'choices' : 'recent', 0);
      else setActive((active + (key === 'ArrowDown' ? 1 : active < 0 ? 0 : -1) + options.length) % options.length);
    } else if ((key === 'Enter' || key === 'Tab') && shown && active >= 0) {
      event.preventDefault();
      take(options[active]!);
    } else if (key === 'Enter') {
      leave();
    } else if (key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      close();
      if (shown) return;
      if (filter === '') onLeave();
      else onFilter('');
    }
  };

  const sentence = fault && (
    <span id={faultId} className="text-error">
      {visibleText(filterFaultText(fault, held))}
    </span>
  );
  return (
    <div className="relative max-w-[520px] min-w-72 flex-[2_1_0]">
      <input
        ref={ref}
        type="text"
        role="combobox"
        aria-label="Filter messages"
        aria-expanded={shown}
        aria-controls={shown ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${listId}-${active}` : undefined}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? faultId : undefined}
        placeholder="Filter: words, method:tools/*, -kind:stderr, duration:&gt;500ms"
        value={filter}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => {
          onFilter(event.target.value);
          // Whoever takes all away wants to see the log.
          if (event.target.value === '') close();
          else open('choices', -1);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
        onScroll={(event) => setScrolled(event.currentTarget.scrollLeft)}
        onKeyDown={onKeyDown}
        onBlur={leave}
        className={classNames(FIELD, 'pr-7 font-mono text-wire')}
      />
      {fault && <FaultMark text={filter} fault={fault} scrolled={scrolled} />}
      {filter !== '' && (
        <IconButton
          label="Clear the filter"
          className="absolute top-0.5 right-0.5"
          onClick={() => {
            remember(filter);
            onFilter('');
            ref.current?.focus();
          }}
        >
          <Icon name="close" />
        </IconButton>
      )}
      {shown ? (
        <OptionList
          id={listId}
          anchor={ref.current!}
          options={options}
          active={active}
          onChoose={take}
          foot={sentence}
          above
        />
      ) : (
        sentence && (
          <p
            role="status"
            className="pointer-events-none absolute top-full left-0 z-10 mt-1 w-max max-w-[min(90vw,640px)] rounded border border-error/50 bg-raised px-2 py-1 text-small shadow-xl"
          >
            {sentence}
          </p>
        )
      )}
    </div>
  );
}

/** What is wrong with a filter, and which rows are shown meanwhile: those that fit `held`, '' for all. */
export function filterFaultText({ message }: FilterFault, held: string): string {
  return `${message} ${held === '' ? 'All messages are shown' : `Shown is what fits “${held}”`} until then.`;
}

/** A wave under the characters where a filter goes wrong: the same text in the same place, but only its underline shows. */
function FaultMark({
  text,
  fault: { at, end },
  scrolled,
}: {
  readonly text: string;
  readonly fault: FilterFault;
  /** How far the text box is scrolled, in px. */
  readonly scrolled: number;
}) {
  // Where nothing stands, the place is marked where something should.
  const wrong = text.slice(at, end) || '\u00a0';
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-px left-[9px] right-7 flex items-center overflow-hidden font-mono text-wire text-transparent"
    >
      <span className="whitespace-pre" style={{ transform: `translateX(${-scrolled}px)` }}>
        {text.slice(0, at)}
        <span
          data-fault-at={at}
          className="underline decoration-error decoration-wavy decoration-from-font underline-offset-3"
        >
          {wrong}
        </span>
      </span>
    </div>
  );
}

const MOST = 20;
const NONE: readonly string[] = [];

/** Filters used in this tab, the newest first, and what adds one. */
function useRecentFilters(): readonly [readonly string[], (filter: string) => void] {
  const [recent, setRecent] = useDraft('recent-filters', NONE);
  const remember = useCallback(
    (filter: string) => {
      const text = filter.trim();
      if (text === '') return;
      setRecent((before) =>
        before[0] === text ? before : [text, ...before.filter((one) => one !== text)].slice(0, MOST),
      );
    },
    [setRecent],
  );
  return [recent, remember];
}
