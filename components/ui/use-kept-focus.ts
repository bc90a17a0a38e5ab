import { type RefObject, useLayoutEffect, useRef } from 'react';

const CONTROLS = 'input, textarea, select, button';

/**
 * For the element that holds a list's rows: when a row is taken away and the focus with it, the last row left gets it; with
 * no rows left, the first control beside the list (the one that adds rows). Rows may be in parts, marked by `data-rows`.
 */
export function useKeptFocus<E extends HTMLElement>(count: number): RefObject<E | null> {
  const list = useRef<E>(null);
  const before = useRef(count);
  useLayoutEffect(() => {
    const fewer = count < before.current;
    before.current = count;
    if (!fewer || document.activeElement !== document.body) return;
    const control =
      lastRow(list.current)?.querySelector<HTMLElement>(CONTROLS) ??
      list.current?.parentElement?.querySelector<HTMLElement>(CONTROLS);
    control?.focus();
  }, [count]);
  return list;
}

function lastRow(list: Element | null): Element | null | undefined {
  const last = list?.lastElementChild;
  return last?.matches('[data-rows]') ? last.lastElementChild : last;
}
