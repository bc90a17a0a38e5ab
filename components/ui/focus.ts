import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { announceFocusMove, moveFocus } from './page-focus';
import { takesText } from './shortcuts';

interface FocusTarget {
  readonly control: HTMLElement;
  /** Scrolled into view together with the control. */
  readonly within: Element;
}

/** Number of the newest call of {@link focusWhenRendered}. A newer call cancels the ones that still wait. */
let requests = 0;

/**
 * Focuses the target that `find` returns, and scrolls it into view. While `find` returns undefined, it tries again for
 * up to `frames` animation frames; false ends the wait. Somebody who has begun to type elsewhere keeps the focus. Calls
 * `done` in every case.
 */
export function focusWhenRendered(
  find: () => FocusTarget | false | undefined,
  frames: number,
  done = (): void => {},
): void {
  const mine = ++requests;
  const before = document.activeElement;
  let left = frames;
  const look = (): void => {
    const { activeElement } = document;
    if (mine !== requests || (activeElement !== before && takesText(activeElement))) {
      done();
      return;
    }
    const found = find();
    if (found === undefined && left-- > 0) {
      announceFocusMove();
      requestAnimationFrame(look);
      return;
    }
    if (found) {
      // The browser would scroll it to the middle and hide the heading above.
      moveFocus(found.control, { preventScroll: true });
      found.within.scrollIntoView({ block: 'nearest' });
    }
    done();
  };
  requestAnimationFrame(look);
}

/** Gives up a focus that is still waited for, because the user has moved on. */
export function forgetFocus(): void {
  requests++;
}

/** Selects the elements of a field or row that take a value. */
export const INPUTS = 'input, textarea, select';

/** Selects the elements of a field or row that can take the focus. */
export const CONTROLS = `${INPUTS}, button`;

/** Animation frames to wait for a form to be rendered: two seconds. */
const FORM_FRAMES = 120;

/**
 * Focuses the first required field of the form in view, or else its first field. Does nothing without a form. A form is
 * marked by `data-form`, its fields by `data-field` and `data-required`.
 */
export function focusForm(within: ParentNode = document): void {
  focusWhenRendered(() => {
    const form = within.querySelector('[data-form]');
    if (!form) return undefined;
    const field = innermost(form, '[data-required]') ?? form.querySelector('[data-field]');
    const control = field?.querySelector<HTMLElement>(CONTROLS);
    return control ? { control, within: control } : false;
  }, FORM_FRAMES);
}

/** Returns the first match, then the first match inside it, and so on. */
function innermost(within: Element, selector: string): Element | undefined {
  const found = within.querySelector(selector);
  return found ? (innermost(found, selector) ?? found) : undefined;
}

/**
 * Keeps the focus when a row of a list is removed: it goes to the last remaining row, or to the first control next to
 * the list (the one that adds rows). Attach the ref to the list; groups of rows are marked by `data-rows`.
 */
export function useListFocus<E extends HTMLElement>(count: number): RefObject<E | null> {
  const list = useRef<E>(null);
  const before = useRef(count);
  useLayoutEffect(() => {
    const fewer = count < before.current;
    before.current = count;
    if (!fewer || document.activeElement !== document.body) return;
    const control =
      lastRow(list.current)?.querySelector<HTMLElement>(CONTROLS) ??
      list.current?.parentElement?.querySelector<HTMLElement>(CONTROLS);
    moveFocus(control);
  }, [count]);
  return list;
}

function lastRow(list: Element | null): Element | null | undefined {
  const last = list?.lastElementChild;
  return last?.matches('[data-rows]') ? last.lastElementChild : last;
}

/** Focuses the first control of a list's last row, once a new row is rendered. */
export function focusLastRow(list: RefObject<Element | null>): void {
  focusWhenRendered(() => {
    const row = lastRow(list.current);
    const control = row?.querySelector<HTMLElement>(CONTROLS);
    return row && control ? { control, within: row } : false;
  }, 0);
}

/** Returns a function that gives the focus back to the element that had it at the first render, if it still exists. */
export function useFocusReturn(): () => void {
  const [opener] = useState(() => (typeof document === 'undefined' ? null : document.activeElement));
  return () => {
    if (opener?.isConnected) moveFocus(opener);
  };
}
