import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names';
import { moveFocus } from './page-focus';
import { useRelease } from './release';

export interface MenuItem {
  readonly label: ReactNode;
  readonly run: () => void;
  /** Makes it a checkbox. The menu stays open when a click toggles it. */
  readonly checked?: boolean;
  readonly separatorBefore?: boolean;
}

interface MenuListProps {
  readonly id?: string;
  /** Accessible name. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Gets the focus back when the menu closes. */
  readonly opener: HTMLElement;
  /** The element below which the menu opens, or above which if there is too little room. Default: the opener. */
  readonly near?: DOMRectReadOnly;
  readonly onClose: () => void;
}

const ITEM = '[role^=menuitem]';

/** An open menu. Esc and a click outside close it. */
export function MenuList({ id, label, items, opener, near, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);
  const release = useRelease(() => {
    if (list.current?.contains(document.activeElement)) moveFocus(opener);
    onClose();
  });
  useLayoutEffect(() => {
    const element = list.current!;
    element.showPopover();
    const at = near ?? opener.getBoundingClientRect();
    const [above, under] = [at.top - 4, innerHeight - at.bottom - 4];
    const below = element.offsetHeight <= under || under >= above;
    element.style.maxHeight = `min(70vh, ${below ? under : above}px)`;
    element.style.left = `${Math.max(4, Math.min(at.left, innerWidth - element.offsetWidth - 4))}px`;
    element.style.top = `${below ? at.bottom : at.top - element.offsetHeight}px`;
    moveFocus(element.querySelector<HTMLElement>(ITEM));
  }, [opener, near]);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...list.current!.querySelectorAll<HTMLElement>(ITEM)];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Tab') onClose();
    if (event.key === 'Escape') {
      // Page shortcuts ignore events that were prevented.
      event.preventDefault();
      moveFocus(opener);
      onClose();
    }
    if (next === undefined) return;
    event.preventDefault();
    moveFocus(all.at(next % all.length));
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
      {...release}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      className="fixed inset-auto m-0 max-w-96 min-w-40 overflow-auto rounded border border-line bg-raised p-1 font-sans text-text shadow-xl"
    >
      {items.map(({ label, run, separatorBefore, checked }, index) => (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a menuitemcheckbox gets it
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: a menu does not change while it is open
          key={index}
          type="button"
          role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
          aria-checked={checked}
          // One item is focusable, so that a long menu can be scrolled by keys.
          tabIndex={index === 0 ? 0 : -1}
          onClick={() => {
            if (checked === undefined) {
              // Closed first, because `run` may move the focus.
              moveFocus(opener);
              onClose();
            }
            run();
          }}
          className={classNames(
            'block h-6 w-full truncate rounded px-2 text-left text-small hover:bg-text/8 focus:bg-text/8',
            separatorBefore && 'mt-1 border-t border-line',
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
