import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names';
import { FIELD } from './inputs';

interface ComboboxProps {
  readonly id?: string;
  readonly text: string;
  /** Called on every keystroke. */
  readonly onText: (text: string) => void;
  readonly options: readonly ComboboxOption[];
  readonly onChoose: (option: ComboboxOption) => void;
  /** Called before the list opens. */
  readonly onOpen?: () => void;
  /** Called when the focus leaves. */
  readonly onLeave?: () => void;
  /** Shown below the options, for example how many more there are. */
  readonly foot?: ReactNode;
  readonly placeholder?: string;
  readonly mono?: boolean;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-required'?: true;
}

/** A text box with a list of suggestions. Arrow keys choose, Enter accepts, Esc closes the list. */
export function Combobox(props: ComboboxProps) {
  const { id, text, onText, options, onChoose, onOpen, onLeave, foot, placeholder, mono = false, ...aria } = props;
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const shown = open && (options.length > 0 || foot !== undefined);
  const show = () => {
    if (open) return;
    onOpen?.();
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (option: ComboboxOption) => {
    close();
    onChoose(option);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) show();
      else if (options.length > 0) {
        setActive((active + (event.key === 'ArrowDown' ? 1 : active < 0 ? 0 : -1) + options.length) % options.length);
      }
    } else if (event.key === 'Enter' && shown && active >= 0 && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      choose(options[active]!);
    } else if (event.key === 'Escape' && shown) {
      // Page shortcuts and dialogs ignore events that were prevented.
      event.preventDefault();
      close();
    }
  };
  return (
    <div className="relative min-w-0 flex-1">
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        aria-expanded={shown}
        aria-controls={shown ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${listId}-${active}` : undefined}
        {...aria}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => {
          show();
          setActive(-1);
          onText(event.target.value);
        }}
        onClick={show}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          onLeave?.();
        }}
        className={classNames(FIELD, mono && 'font-mono text-wire')}
      />
      {shown && (
        <OptionList
          id={listId}
          anchor={input.current!}
          options={options}
          active={active}
          onChoose={choose}
          foot={foot}
        />
      )}
    </div>
  );
}

/** A suggestion: `key` is the text to insert, `label` and `note` are shown. */
export interface ComboboxOption {
  readonly key: string;
  readonly label: ReactNode;
  readonly note?: ReactNode;
}

interface OptionListProps {
  readonly id: string;
  readonly options: readonly ComboboxOption[];
  readonly onChoose: (option: ComboboxOption) => void;
  /** The text box; the list is as wide as it is. */
  readonly anchor: HTMLElement;
  readonly active: number;
  /** Shown below the options. */
  readonly foot: ReactNode;
  /** Opens above the box if there is room, so as not to cover what is below. */
  readonly above?: boolean;
}

/** The list of suggestions. The text box keeps the focus and handles the keys. */
export function OptionList({ id, anchor, options, active, onChoose, foot, above = false }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position depends on the number of options
  useLayoutEffect(() => {
    const element = list.current!;
    if (!element.matches(':popover-open')) element.showPopover();
    const at = anchor.getBoundingClientRect();
    const roomBelow = at.bottom + element.offsetHeight < innerHeight;
    const roomAbove = at.top > element.offsetHeight;
    const below = above ? !roomAbove : roomBelow || !roomAbove;
    element.style.left = `${at.left}px`;
    element.style.width = `${at.width}px`;
    // Anchored by the edge next to the box, so that the list can grow.
    element.style.top = below ? `${at.bottom + 2}px` : 'auto';
    element.style.bottom = below ? 'auto' : `${innerHeight - at.top + 2}px`;
  }, [anchor, above, options.length, foot === undefined]);
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Choices"
      popover="manual"
      className="fixed inset-auto m-0 max-h-64 scroll-pb-1 overflow-auto rounded border border-line bg-raised p-1 text-text shadow-xl has-data-foot:scroll-pb-8"
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the text box has the focus
        <div
          key={option.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          // Fires before the box loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(option);
          }}
          className="flex min-h-6 cursor-pointer items-baseline gap-2 rounded px-2 hover:bg-text/8 aria-selected:bg-accent/15"
        >
          <span className={classNames('truncate', option.note === undefined ? 'min-w-0' : 'max-w-3/4 shrink-0')}>
            {option.label}
          </span>
          {option.note !== undefined && <span className="min-w-0 truncate text-small text-muted">{option.note}</span>}
        </div>
      ))}
      {foot !== undefined && (
        // Options scroll beneath it.
        <div
          data-foot
          className="sticky -bottom-1 -mx-1 -mb-1 border-t border-line bg-raised px-3 py-1 text-small text-muted"
        >
          {foot}
        </div>
      )}
    </div>
  );
}
