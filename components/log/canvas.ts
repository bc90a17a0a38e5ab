import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** The theme's colours that canvases use; see globals.css. */
const CANVAS_COLOURS = ['line', 'muted', 'text', 'accent', 'warn', 'error'] as const;
type CanvasColour = (typeof CANVAS_COLOURS)[number];
export type CanvasColours = Readonly<Record<CanvasColour, string>>;

let known: { readonly theme: string; readonly colours: CanvasColours } | undefined;

/** Returns the current theme's colours as values, because a canvas can't use CSS variables. Computed once per theme. */
export function canvasColours(element: HTMLElement): CanvasColours {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const theme = `${document.documentElement.dataset.theme} ${dark}`;
  if (known?.theme === theme) return known.colours;
  const before = element.style.color;
  const colours = Object.fromEntries(
    CANVAS_COLOURS.map((name) => {
      element.style.color = `var(--color-${name})`;
      return [name, getComputedStyle(element).color];
    }),
  ) as CanvasColours;
  element.style.color = before;
  known = { theme, colours };
  return colours;
}

let family: string | undefined;

/** Returns the page's font in a size, for a canvas. */
export function canvasFont(px: number): string {
  family ??= getComputedStyle(document.body).fontFamily;
  return `${px}px ${family}`;
}

/** Returns a 2D context in CSS px, scaled to the screen's resolution. undefined while the canvas has no size. */
export function canvasContext(canvas: HTMLCanvasElement, size: CanvasSize): CanvasRenderingContext2D | undefined {
  const scale = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  const context = width > 0 && height > 0 ? canvas.getContext('2d') : null;
  if (!context) return undefined;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return context;
}

/** Lengths in CSS px. */
export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the size of a canvas after the last layout, undefined before the first. Observed rather than measured, which
 * would force a second layout. Calls `resized` after each change.
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
