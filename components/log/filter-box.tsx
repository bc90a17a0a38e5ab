import {
  type KeyboardEvent,
  type RefObject,
  Suspense,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { IconButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import type { ComboboxOption } from '@/components/ui/combobox';
import { Icon } from '@/components/ui/icon';
import { FIELD } from '@/components/ui/inputs';
import { codeWhenIdle, lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { Sentence } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { visibleText } from '@/components/ui/visible-text';
import type { FilterCompletion } from '@/lib/filter/complete';
import type { FilterSubject } from '@/lib/filter/keys/filter-key';
import type { FilterFault } from '@/lib/filter/language/grammar';
import { useDraft } from '@/lib/hooks/drafts';

const OptionList = lazyWhenIdle(() => import('@/components/ui/combobox').then((file) => file.OptionList));
const useCompletions = codeWhenIdle(() => import('@/lib/filter/complete'));

interface FilterBoxProps {
  /** Accessible name. */
  readonly label: string;
  readonly placeholder: string;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  /** Syntax error of the filter. */
  readonly fault: FilterFault | undefined;
  /** Says what is wrong, below the box. */
  readonly faultText: string | undefined;
  /** The log with the values to suggest. */
  readonly subject: FilterSubject;
  /** Names of the keys to suggest. Absent: all. */
  readonly keys?: ReadonlySet<string>;
  /** Called on Esc in the empty box. */
  readonly onLeave: () => void;
  /** Called on Esc while a search runs. Absent if none does. */
  readonly onCancelSearch?: (() => void) | undefined;
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly className?: string;
}

const NOTHING: FilterCompletion = { from: 0, to: 0, options: [] };

/** The filter's text box. Down suggests completions, up lists recent filters; Enter or Tab accepts one. */
export function FilterBox(props: FilterBoxProps) {
  const { filter, onFilter, fault, faultText, onLeave, onCancelSearch, ref } = props;
  const [scrolled, setScrolled] = useState(0);
  const [recent, remember] = useRecentFilters();
  const list = useOptions(props, recent);
  const { options, shown, active, listId } = list;
  const faultId = useId();
  const leave = () => {
    list.close();
    if (!fault) remember(filter);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (!shown) list.open(key === 'ArrowDown' ? 'choices' : 'recent', 0);
      else list.move(key === 'ArrowDown' ? 1 : -1);
    } else if ((key === 'Enter' || key === 'Tab') && shown && active >= 0) {
      event.preventDefault();
      list.accept(options[active]!);
    } else if (key === 'Enter') {
      leave();
    } else if (key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      list.close();
      if (onCancelSearch) return onCancelSearch();
      if (shown || list.isLoading) return;
      if (filter === '') onLeave();
      else onFilter('');
    }
  };

  const sentence = faultText !== undefined && (
    <span id={faultId} className="text-error">
      <Sentence text={faultText} />
    </span>
  );
  return (
    <div className={classNames('relative', props.className)}>
      <input
        ref={ref}
        type="text"
        role="combobox"
        aria-label={props.label}
        aria-expanded={shown}
        aria-controls={shown ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${listId}-${active}` : undefined}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? faultId : undefined}
        placeholder={props.placeholder}
        value={filter}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => {
          onFilter(event.target.value);
          // An open list would cover the log.
          if (event.target.value === '') list.close();
          else list.open('choices', -1);
        }}
        onSelect={list.moveCaret}
        onScroll={(event) => setScrolled(event.currentTarget.scrollLeft)}
        onKeyDown={onKeyDown}
        onBlur={leave}
        className={classNames(FIELD, 'pr-7 font-mono text-wire')}
      />
      {fault && <FaultMark text={filter} fault={fault} scrolled={scrolled} />}
      {filter !== '' && (
        <IconButton
          label="Clear filter"
          className="absolute top-0.5 right-0.5"
          onClick={() => {
            remember(filter);
            onFilter('');
            moveFocus(ref.current);
          }}
        >
          <Icon name="close" />
        </IconButton>
      )}
      {shown ? (
        <Suspense>
          <OptionList
            id={listId}
            anchor={ref.current!}
            options={options}
            active={active}
            onChoose={list.accept}
            foot={sentence || undefined}
            above
          />
        </Suspense>
      ) : (
        sentence && (
          <p
            role="status"
            // As wide as the box, so that nothing beside it cuts the text.
            className="pointer-events-none absolute inset-x-0 top-full z-10 mt-1 rounded border border-error/50 bg-raised px-2 py-1 text-small break-words whitespace-normal shadow-xl"
          >
            {sentence}
          </p>
        )
      )}
    </div>
  );
}

/** The list below the box: completions at the caret, or recent filters. */
function useOptions({ filter, onFilter, subject, keys, ref }: FilterBoxProps, recent: readonly string[]) {
  const listId = useId();
  const [list, setList] = useState<'choices' | 'recent'>();
  const [active, setActive] = useState(-1);
  const [caret, setCaret] = useState(0);
  const nextCaret = useRef<number>(undefined);
  // Moves the caret behind an accepted suggestion once it is in the box.
  useLayoutEffect(() => {
    if (nextCaret.current === undefined) return;
    ref.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = undefined;
  });

  const code = useCompletions();
  const values = useMemo(() => code && new code.LogValues(subject), [code, subject]);
  // Not updated as frames arrive: an option must not move under the pointer.
  const completion = useMemo(
    () => (list === 'choices' && code && values ? code.completeFilter(filter, caret, values, keys) : NOTHING),
    [list, filter, caret, code, values, keys],
  );
  const texts = list === 'recent' ? recent.map((text) => ({ text, note: undefined })) : completion.options;
  const options = texts.map(({ text, note }) => ({ key: text, label: <code>{visibleText(text)}</code>, note }));

  const moveCaret = () => setCaret(ref.current?.selectionStart ?? filter.length);
  return {
    listId,
    options,
    active,
    shown: list !== undefined && options.length > 0,
    /** The list is asked for, but its code is not here yet. */
    isLoading: list === 'choices' && code === undefined,
    moveCaret,
    open(which: 'choices' | 'recent', first: number) {
      moveCaret();
      setList(which);
      setActive(first);
    },
    close() {
      setList(undefined);
      setActive(-1);
    },
    move(by: 1 | -1) {
      const from = by < 0 && active < 0 ? 0 : active;
      setActive((from + by + options.length) % options.length);
    },
    accept({ key: text }: ComboboxOption) {
      const [from, to] = list === 'recent' ? [0, filter.length] : [completion.from, completion.to];
      const end = from + text.length;
      nextCaret.current = end;
      setCaret(end);
      setActive(-1);
      // After a key, the list shows the values of that key.
      if (list === 'recent' || !text.endsWith(':')) setList(undefined);
      onFilter(filter.slice(0, from) + text + filter.slice(to));
    },
  };
}

/** Underlines the characters at fault, by repeating the box's text in transparent letters. */
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
  // If something is missing, a space marks the place.
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

/** Most recent filters to remember. */
const MAX_RECENT = 20;
const NONE: readonly string[] = [];

/** Returns the filters used in this tab, newest first, and a function that adds one. */
function useRecentFilters(): readonly [readonly string[], (filter: string) => void] {
  const [recent, setRecent] = useDraft('recent-filters', NONE);
  const remember = useCallback(
    (filter: string) => {
      const text = filter.trim();
      if (text === '') return;
      setRecent((before) =>
        before[0] === text ? before : [text, ...before.filter((one) => one !== text)].slice(0, MAX_RECENT),
      );
    },
    [setRecent],
  );
  return [recent, remember];
}
