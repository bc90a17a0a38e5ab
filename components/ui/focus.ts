import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** What gets the focus, and what is brought into sight with it. */
export interface FocusTarget {
  readonly control: HTMLElement;
  readonly within: Element;
}

/** Counts what was asked for: only what was asked for last is what the person wants now. */
let asked = 0;

/**
 * Moves the focus to what `find` finds, within so many frames, and brings it into sight; then calls `done`, and also where nothing came, or
 * the focus was asked for elsewhere, which ends the wait. `find`: undefined as long as it may come; false if it never will.
 */
export function focusWhenRendered(
  find: () => FocusTarget | false | undefined,
  frames: number,
  done = (): void => {},
): void {
  const mine = ++asked;
  let left = frames;
  const look = (): void => {
    if (mine !== asked) {
      done();
      return;
    }
    const found = find();
    if (found === undefined && left-- > 0) {
      requestAnimationFrame(look);
      return;
    }
    if (found) {
      // By itself it would come to the middle, and what stands above is to be read.
      found.control.focus({ preventScroll: true });
      found.within.scrollIntoView({ block: 'nearest' });
    }
    done();
  };
  requestAnimationFrame(look);
}

/** What of a field takes the focus. */
export const CONTROLS = 'input, textarea, select, button';

/** Frames waited for while a form is on its way to the page. */
const FRAMES = 120;

/**
 * Gives the focus to the first required field of the form in view, or to its first field if none is required, and brings it into
 * sight. Nothing if there is no form. A form is marked by `data-form`, its fields by `data-field` and `data-required`.
 */
export function focusForm(): void {
  focusWhenRendered(() => {
    const form = document.querySelector('[data-form]');
    if (!form) return undefined;
    const field = innermost(form, '[data-required]') ?? form.querySelector('[data-field]');
    const control = field?.querySelector<HTMLElement>(CONTROLS);
    return control ? { control, within: control } : false;
  }, FRAMES);
}

/** The first that matches, and in it the first, and so on. */
function innermost(within: Element, selector: string): Element | undefined {
  const found = within.querySelector(selector);
  return found ? (innermost(found, selector) ?? found) : undefined;
}

const ROW_CONTROLS = 'input, textarea, select, button';

/**
 * For the element that holds a list's rows: when a row is taken away and the focus with it, the last row left gets it; with
 * no rows left, the first control beside the list (the one that adds rows). Rows may be in parts, marked by `data-rows`.
 */
export function useListFocus<E extends HTMLElement>(count: number): RefObject<E | null> {
  const list = useRef<E>(null);
  const before = useRef(count);
  useLayoutEffect(() => {
    const fewer = count < before.current;
    before.current = count;
    if (!fewer || document.activeElement !== document.body) return;
    const control =
      lastRow(list.current)?.querySelector<HTMLElement>(ROW_CONTROLS) ??
      list.current?.parentElement?.querySelector<HTMLElement>(ROW_CONTROLS);
    control?.focus();
  }, [count]);
  return list;
}

function lastRow(list: Element | null): Element | null | undefined {
  const last = list?.lastElementChild;
  return last?.matches('[data-rows]') ? last.lastElementChild : last;
}

/** Gives the focus back to what had it when this was first drawn, if that is still there: call it before what has it now goes. */
export function useFocusReturn(): () => void {
  const [opener] = useState(() => (typeof document === 'undefined' ? null : document.activeElement));
  return () => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
}
