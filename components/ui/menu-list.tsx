import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names';

/** One thing a menu does. */
export interface MenuItem {
  readonly label: ReactNode;
  readonly run: () => void;
  /** It is switched on or off; the menu then stays open. */
  readonly checked?: boolean;
  /** A line before it. */
  readonly apart?: boolean;
}

interface MenuListProps {
  readonly id?: string;
  /** Its accessible name. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Gets the focus back. */
  readonly opener: HTMLElement;
  /** What it opens below, or above where there is no room: the opener, if nothing else. */
  readonly near?: DOMRectReadOnly;
  readonly onClose: () => void;
}

const ITEM = '[role^=menuitem]';

/** A short menu, open. Esc and a press beside it close it. */
export function MenuList({ id, label, items, opener, near, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = list.current!;
    element.showPopover();
    const at = near ?? opener.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = element;
    const below = at.bottom + offsetHeight < innerHeight || at.top < offsetHeight;
    element.style.left = `${Math.max(4, Math.min(at.left, innerWidth - offsetWidth - 4))}px`;
    element.style.top = `${below ? at.bottom : at.top - offsetHeight}px`;
    element.querySelector<HTMLElement>(ITEM)?.focus();
  }, [opener, near]);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...list.current!.querySelectorAll<HTMLElement>(ITEM)];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Tab') onClose();
    if (event.key === 'Escape') {
      // The keys of the page leave alone what is done already.
      event.preventDefault();
      opener.focus();
      onClose();
    }
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  return (
    <div
      ref={list}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      popover="auto"
      onKeyDown={onKeyDown}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      className="fixed inset-auto m-0 max-h-80 max-w-96 min-w-40 overflow-auto rounded border border-line bg-raised p-1 font-sans text-text shadow-xl"
    >
      {items.map(({ label, run, apart, checked }, index) => (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a menuitemcheckbox gets it
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: a menu does not change while it is open
          key={index}
          type="button"
          role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
          aria-checked={checked}
          tabIndex={-1}
          onClick={() => {
            if (checked === undefined) {
              // Closed first: what it does may move the focus.
              opener.focus();
              onClose();
            }
            run();
          }}
          className={classNames(
            'block h-6 w-full truncate rounded px-2 text-left text-small hover:bg-text/8 focus:bg-text/8',
            apart && 'mt-1 border-t border-line',
          )}
        >
          {checked !== undefined && (
            <span aria-hidden="true" className="inline-block w-4">
              {checked && '✓'}
            </span>
          )}
          {label}
        </button>
      ))}
    </div>
  );
}
