import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names';

/** Something to choose: `key` goes into the box, `label` is what is shown, with a shorter note. */
export interface ComboboxOption {
  readonly key: string;
  readonly label: ReactNode;
  readonly note?: ReactNode;
}

interface OptionListProps {
  readonly id: string;
  readonly options: readonly ComboboxOption[];
  readonly onChoose: (option: ComboboxOption) => void;
  /** Below it the list opens, as wide as it is. */
  readonly anchor: HTMLElement;
  readonly active: number;
  /** Shown under the options. */
  readonly foot: ReactNode;
  /** It opens above the box, if there is room: below it is what the box is about. */
  readonly above?: boolean;
}

/** What may be chosen, under the box that has the focus and the keys. */
export function OptionList({ id, anchor, options, active, onChoose, foot, above = false }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null);
  // Its place depends on how long it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    const element = list.current!;
    if (!element.matches(':popover-open')) element.showPopover();
    const at = anchor.getBoundingClientRect();
    const roomBelow = at.bottom + element.offsetHeight < innerHeight;
    const roomAbove = at.top > element.offsetHeight;
    const below = above ? !roomAbove : roomBelow || !roomAbove;
    element.style.left = `${at.left}px`;
    element.style.width = `${at.width}px`;
    // Held by the edge that lies at the box, so that it may grow.
    element.style.top = below ? `${at.bottom + 2}px` : 'auto';
    element.style.bottom = below ? 'auto' : `${innerHeight - at.top + 2}px`;
  }, [anchor, above, options.length]);
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
      className="fixed inset-auto m-0 max-h-64 overflow-auto rounded border border-line bg-raised p-1 text-text shadow-xl"
    >
      {options.map((option, index) => (
        // The box has the focus and the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: see above
        <div
          key={option.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          // Before the box loses the focus.
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
      {foot !== undefined && <div className="px-2 text-small text-muted">{foot}</div>}
    </div>
  );
}
