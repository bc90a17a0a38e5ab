import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** The colours of the design that canvases draw with; see globals.css. */
const CANVAS_COLOURS = [
  'line',
  'muted',
  'text',
  'accent',
  'to-server',
  'to-client',
  'notify',
  'ok',
  'warn',
  'error',
] as const;
type CanvasColour = (typeof CANVAS_COLOURS)[number];
export type CanvasColours = Readonly<Record<CanvasColour, string>>;

let known: { readonly theme: string; readonly colours: CanvasColours } | undefined;

/** The design's colours in the theme in force, as a canvas takes them: it knows no variables. Asked of styles once a theme. */
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

/** Makes a canvas as fine as the screen; undefined while it has no size. Coordinates are CSS px. */
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
