/** The look of a button that opens a menu, in a row of them. */
export const MENU_BUTTON =
  'inline-flex h-[22px] shrink-0 items-center rounded px-1.5 text-small text-muted hover:bg-text/8 hover:text-text aria-expanded:bg-text/10';
