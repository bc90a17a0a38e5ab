import { type ReactNode, useId, useRef, useState } from 'react';
import { type MenuItem, MenuList } from './menu-list';

interface MenuProps {
  /** The button's accessible name. */
  readonly label: string;
  /** What the button shows. */
  readonly children: ReactNode;
  /** Asked for when the menu opens. */
  readonly items: () => readonly MenuItem[];
  readonly describedBy?: string;
  /** Called before it opens. */
  readonly onOpen?: (() => void) | undefined;
  /** The button's look; without one it is a square for a glyph. */
  readonly className?: string;
}

const SQUARE =
  'inline-flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-text/8 hover:text-text';

/** A button that opens a short menu. Nothing of the menu is rendered before. Esc and a press beside it close it. */
export function Menu({ label, children, items, describedBy, onOpen, className }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-describedby={describedBy}
        onClick={() => {
          if (!open) onOpen?.();
          setOpen(!open);
        }}
        className={className ?? SQUARE}
      >
        {children}
      </button>
      {open && (
        <MenuList id={id} label={label} items={items()} opener={button.current!} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
