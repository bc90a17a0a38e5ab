import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { tallContent } from '@/components/ui/tall-content';
import { inSlices } from '@/lib/wire/in-slices';
import { type RawRows, rawRows } from './raw-rows';
import { type RawMark, RawRuns } from './raw-runs';

const ROW_HEIGHT = 18;
/** Width of a character, in px, and room at the sides. */
const CHARACTER = 7.23;
const BESIDE = 28;
const OVERSCAN = 12;
/** A line that is not wrapped is cut after so many columns all the same: browsers don't lay out a line of ten megabytes. */
const LONGEST = 4096;

/** Bytes as rows of text, however many: only those in sight exist. */
export function RawWindow({
  bytes,
  wrap,
  marks,
}: {
  readonly bytes: Uint8Array;
  readonly wrap: boolean;
  readonly marks: readonly RawMark[];
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState({ height: 0, columns: 0 });
  const [top, setTop] = useState(0);
  const [rows, setRows] = useState<RawRows>();
  const columns = wrap ? box.columns : LONGEST;

  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => {
      const { clientHeight: height, clientWidth } = element;
      setBox({ height, columns: Math.max(20, Math.floor((clientWidth - BESIDE) / CHARACTER)) });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (columns === 0) return;
    const stop = new AbortController();
    void inSlices(rawRows(bytes, columns), stop.signal).then((made) => made && setRows(made));
    return () => stop.abort();
  }, [bytes, columns]);

  const count = rows?.count ?? 0;
  const { height, position, shift } = tallContent(count * ROW_HEIGHT, top, box.height);
  const first = Math.max(0, Math.floor(position / ROW_HEIGHT) - OVERSCAN);
  const last = Math.min(count, Math.ceil((position + box.height) / ROW_HEIGHT) + OVERSCAN);
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  return (
    <section
      ref={scroller}
      aria-label="Bytes as text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      className="min-h-0 flex-1 overflow-auto p-2 font-mono text-wire"
    >
      {!rows && <p className="text-muted">Laying out the lines…</p>}
      <div style={{ height }}>
        <div style={{ transform: `translateY(${shift + first * ROW_HEIGHT}px)` }}>
          {rows &&
            shown.map((row) => (
              <div key={row} style={{ height: ROW_HEIGHT }} className="whitespace-pre">
                <RawRuns bytes={bytes} from={rows.start(row)} to={rows.start(row + 1)} marks={marks} />
              </div>
            ))}
        </div>
      </div>
    </section>
  );
}
