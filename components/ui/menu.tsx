import { type ReactNode, Suspense, useId, useRef, useState } from 'react';
import { lazyWhenIdle } from './lazy-when-idle';
import type { MenuItem } from './menu-list';
import { isDragged } from './release';

const MenuList = lazyWhenIdle(() => import('./menu-list').then((file) => file.MenuList));

/** Classes of a text button that opens a menu. */
export const MENU_BUTTON =
  'inline-flex h-6 shrink-0 items-center rounded px-1.5 text-small text-muted hover:bg-text/8 hover:text-text aria-expanded:bg-text/10';

interface MenuProps {
  /** The button's accessible name. */
  readonly label: string;
  /** The button's content. */
  readonly children: ReactNode;
  /** Called when the menu opens. */
  readonly items: () => readonly MenuItem[];
  readonly describedBy?: string;
  /** Called before it opens. */
  readonly onOpen?: (() => void) | undefined;
  /** The button's classes; a square for a glyph by default. */
  readonly className?: string;
  readonly tabIndex?: number;
}

const SQUARE =
  'inline-flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-text/8 hover:text-text';

/** A button that opens a short menu, by a click or a drag to an item. The menu is rendered only while open. */
export function Menu({ label, children, items, describedBy, onOpen, className, tabIndex }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const id = useId();
  const show = () => {
    if (!open) onOpen?.();
    setOpen(true);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        tabIndex={tabIndex}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-describedby={describedBy}
        onClick={() => (open ? setOpen(false) : show())}
        onPointerLeave={(event) => isDragged(event) && show()}
        className={className ?? SQUARE}
      >
        {children}
      </button>
      {open && (
        <Suspense>
          <MenuList id={id} label={label} items={items()} opener={button.current!} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
