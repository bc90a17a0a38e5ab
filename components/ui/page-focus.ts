import { FocusOrigin } from './focus-origin';

/** Who put the page's focus where it is. */
export const pageFocus = new FocusOrigin(() => performance.now());

/** True while code of ours moves the focus. */
let isOurs = false;

/**
 * Moves the focus to an element, if there is one. All code uses this, so that letters which were meant for another
 * place run no commands.
 */
export function moveFocus(element: Element | null | undefined, options?: FocusOptions): void {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
  isOurs = true;
  element.focus(options);
  isOurs = false;
}

/** Says that mcp-inspect is about to move the focus, so that letters typed meanwhile run nothing. */
export function announceFocusMove(): void {
  pageFocus.willMove();
}

/** Returns the focused element; undefined if it is the page's body. */
export function focused(): Element | undefined {
  const { activeElement, body, documentElement } = document;
  return activeElement === body || activeElement === documentElement ? undefined : (activeElement ?? undefined);
}

/** Notes where the focus is. A window that loses the focus keeps its focused element. */
function readFocus(): void {
  pageFocus.moved(focused(), { modal: document.querySelector('dialog[open]') !== null, isOurs });
}

/** Counts moves of the focus as the person's until the event in progress, and what it causes, are over. */
export function beginAct(act: 'place' | 'command', then = (): void => {}): void {
  pageFocus.act(act);
  setTimeout(() => {
    readFocus();
    pageFocus.rest();
    then();
  });
}

/** Follows the focus until `signal` is aborted. */
export function followFocus(signal: AbortSignal): void {
  const early = { signal, capture: true };
  for (const type of POINTER_EVENTS) document.addEventListener(type, onPointer, early);
  document.addEventListener('keydown', beforeKeyDown, early);
  document.addEventListener('focusin', readFocus, early);
  document.addEventListener('focusout', onFocusOut, early);
}

/** On its way to another element the focus is for a moment on the body. */
function onFocusOut({ relatedTarget }: FocusEvent): void {
  if (relatedTarget === null) readFocus();
}

/** Events of a pointer, and of the menu key. The menu of a row opens at the release, or by that key. */
const POINTER_EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'click', 'contextmenu'] as const;

function onPointer(event: MouseEvent): void {
  if (!event.isTrusted) return;
  const { target } = event;
  beginAct('place', () => {
    const element = focused();
    if (element === undefined || (target instanceof Node && element.contains(target))) pageFocus.confirm();
  });
}

/** Keys that give commands to lists and buttons, and that type nothing. */
const COMMAND_KEY = /^(?:Enter|Arrow.+|Home|End|Page.+)$/;

/** Runs before all other handlers of the key. */
function beforeKeyDown(event: KeyboardEvent): void {
  // An element that was removed has lost the focus without an event.
  readFocus();
  if (!event.isTrusted) return;
  const { key } = event;
  if (key === 'Tab' || key === 'Escape') beginAct('place', () => pageFocus.confirm());
  else if (event.metaKey || event.ctrlKey || COMMAND_KEY.test(key)) beginAct('command');
}
