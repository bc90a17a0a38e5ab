import { type PointerEvent, useRef } from 'react';

/** True while the main button of a mouse is held, as when the pointer leaves the button that opens a list. */
export function isDragged({ pointerType, buttons }: PointerEvent): boolean {
  return pointerType === 'mouse' && buttons === 1;
}

/**
 * Handlers of a list that opens while the mouse button is held: releasing it over an entry chooses that entry, so that
 * a menu takes one press. An entry that was pressed itself gets its click as usual. `onReleased` is called after the
 * choice.
 */
export function useRelease(onReleased?: () => void) {
  const pressed = useRef(false);
  return {
    onPointerDown: () => {
      pressed.current = true;
    },
    onPointerUp: ({ target, pointerType }: PointerEvent) => {
      const isInside = pressed.current;
      pressed.current = false;
      const entry = (target as Element).closest('button');
      if (isInside || pointerType !== 'mouse' || !entry) return;
      entry.click();
      onReleased?.();
    },
  };
}
