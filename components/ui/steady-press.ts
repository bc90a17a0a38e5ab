import { type PointerEvent, useEffect, useRef } from 'react';

/**
 * Returns a handler that makes a press of a button or checkbox count even if it moves while it is held, as when leaving
 * a field shows a message above. The browser then sends the click to another element. Other clicks count as usual.
 */
export function useSteadyPress(onPress: () => void): (event: PointerEvent<HTMLElement>) => void {
  const latest = useRef(onPress);
  useEffect(() => {
    latest.current = onPress;
  });
  return ({ button, currentTarget }) => {
    if (button !== 0) return;
    const before = currentTarget.getBoundingClientRect();
    const stop = new AbortController();
    const onUp = (up: globalThis.PointerEvent) => {
      stop.abort();
      const stayed = isInside(up, currentTarget.getBoundingClientRect());
      if (!stayed && isInside(up, before)) latest.current();
    };
    addEventListener('pointerup', onUp, { signal: stop.signal });
    addEventListener('pointercancel', () => stop.abort(), { signal: stop.signal });
  };
}

function isInside({ clientX, clientY }: globalThis.PointerEvent, { left, right, top, bottom }: DOMRect): boolean {
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}
