import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { ExchangePart } from '@/lib/store/exchange-parts';

/** Height of a part, in px. */
export const PART_HEIGHT = 34;
/** Parts drawn beyond each edge. */
const OVERSCAN = 8;

/** The parts of an exchange, of which there may be tens of thousands: only those in sight are drawn. */
export function PartList({
  parts,
  children,
}: {
  readonly parts: readonly ExchangePart[];
  /** Draws one as a list item, {@link PART_HEIGHT} high. */
  readonly children: (part: ExchangePart, place: { 'aria-posinset': number; 'aria-setsize': number }) => ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [{ top, height }, setBox] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setBox({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top / PART_HEIGHT) - OVERSCAN);
  const shown = parts.slice(first, Math.ceil((top + height) / PART_HEIGHT) + OVERSCAN);
  return (
    <div
      ref={scroller}
      onScroll={({ currentTarget: { scrollTop } }) => setBox((before) => ({ ...before, top: scrollTop }))}
      className="min-h-0 flex-1 overflow-auto"
    >
      <ol
        aria-label="Parts of the exchange"
        style={{ height: parts.length * PART_HEIGHT, paddingTop: first * PART_HEIGHT }}
        className="font-mono text-wire"
      >
        {shown.map((part, index) =>
          children(part, { 'aria-posinset': first + index + 1, 'aria-setsize': parts.length }),
        )}
      </ol>
    </div>
  );
}
