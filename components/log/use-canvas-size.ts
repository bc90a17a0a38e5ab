import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** In CSS px. */
export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size of a canvas as the browser tells it after each layout; undefined before the first. Asked for while rows are being put in
 * place, it would have the page laid out then and there, and once more for the frame. `resized` hears of a change.
 */
export function useCanvasSize(
  canvas: RefObject<HTMLCanvasElement | null>,
  resized: () => void,
): RefObject<CanvasSize | undefined> {
  const size = useRef<CanvasSize>(undefined);
  const latest = useRef(resized);
  useLayoutEffect(() => {
    latest.current = resized;
  });
  useEffect(() => {
    const observer = new ResizeObserver((entries) => {
      const { width, height } = entries.at(-1)!.contentRect;
      size.current = { width, height };
      latest.current();
    });
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, [canvas]);
  return size;
}
