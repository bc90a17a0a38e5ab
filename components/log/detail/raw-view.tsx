import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button, CopyButton } from '@/components/ui/button';
import { scaledContent } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { Download } from '@/components/untrusted/download';
import { useDraft } from '@/lib/hooks/drafts';
import { formatBytes, formatCount } from '@/lib/wire/format';
import { runInSlices } from '@/lib/wire/in-slices';
import { byteRuns, type RawRows, rawRows } from './byte-rows';

/** What is laid out at once, as one text; of more only the rows in sight are. */
const WHOLE_BYTES = 64 * 1024;

/** A frame's bytes as text, exactly, hidden and invalid ones as marked escapes; and ways to take them along. */
export function RawView({
  bytes,
  text,
  name,
  marks,
}: {
  readonly bytes: Uint8Array;
  /** All of it as text; asked for when it is copied. */
  readonly text: () => string;
  /** For the file that it is saved to. */
  readonly name: string;
  readonly marks: readonly RawMark[];
}) {
  const [wrap, setWrap] = useDraft('raw wrap', true);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-1 border-b border-line px-2 py-1">
        <span className="tabular mr-auto text-muted" title={`${formatCount(bytes.length)} bytes`}>
          {formatBytes(bytes.length)}
        </span>
        <Button variant="ghost" size="small" aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          {wrap ? 'Don’t wrap' : 'Wrap'}
        </Button>
        <CopyButton label="Copy raw" text={text} />
        <Download label="Save" content={() => new Uint8Array(bytes)} name={name} />
      </div>
      {bytes.length === 0 ? (
        <p className="p-2 text-muted">An empty line: 0 bytes.</p>
      ) : bytes.length > WHOLE_BYTES ? (
        <RawWindow bytes={bytes} wrap={wrap} marks={marks} />
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
          tabIndex={0}
          className={`min-h-0 flex-1 overflow-auto p-2 font-mono text-wire ${wrap ? 'break-all whitespace-pre-wrap' : 'whitespace-pre'}`}
        >
          <RawRuns bytes={bytes} from={0} to={bytes.length} marks={marks} />
        </pre>
      )}
    </div>
  );
}

const ROW_HEIGHT = 18;
/** Width of a character, in px, and room at the sides. */
const CHARACTER = 7.23;
const BESIDE = 28;
const OVERSCAN = 12;
/** A line that is not wrapped is cut after so many columns all the same: browsers don't lay out a line of ten megabytes. */
const LONGEST = 4096;

/** Bytes as rows of text, however many: only those in sight exist. */
function RawWindow({
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
    void runInSlices(rawRows(bytes, columns), stop.signal).then((made) => made && setRows(made));
    return () => stop.abort();
  }, [bytes, columns]);

  const count = rows?.count ?? 0;
  const { height, position, shift } = scaledContent(count * ROW_HEIGHT, top, box.height);
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

/** A remark on a range of bytes. */
export interface RawMark {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly severe: boolean;
}

/** A run of a frame's text. */
interface Run {
  readonly at: number;
  readonly text: string;
  readonly escaped: boolean;
  readonly mark: RawMark | undefined;
}

/** A part of a frame's bytes as text, exactly: hidden and invalid ones as escapes, line feeds with a sign, remarks underlined. */
const RawRuns = memo(function RawRuns({
  bytes,
  from,
  to,
  marks,
}: {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** In the order of the bytes, none over another. */
  readonly marks: readonly RawMark[];
}) {
  const runs = useMemo(() => runsOf(bytes, from, to, marks), [bytes, from, to, marks]);
  return runs.map(({ at, text, escaped, mark }) => (
    <span key={at} className={text === '\n' ? LINE_FEED : look(escaped, mark)} title={title(escaped, mark)}>
      {text}
    </span>
  ));
});

/** The sign is no text, so that what is selected and copied is what came. */
const LINE_FEED = "before:text-muted before:content-['↵']";

function runsOf(bytes: Uint8Array, from: number, to: number, marks: readonly RawMark[]): readonly Run[] {
  const runs: Run[] = [];
  const add = (start: number, end: number, mark?: RawMark) => {
    for (const { text, escaped } of byteRuns(bytes.subarray(start, end))) {
      for (const piece of text.split(/(\n)/)) {
        if (piece !== '') runs.push({ at: runs.length, text: piece, escaped, mark });
      }
    }
  };
  let at = from;
  for (const mark of marks) {
    if (mark.to <= at || mark.from >= to) continue;
    const start = Math.max(at, mark.from);
    const end = Math.min(mark.to, to);
    if (start > at) add(at, start);
    add(start, end, mark);
    at = end;
  }
  if (at < to) add(at, to);
  return runs;
}

function look(escaped: boolean, mark: RawMark | undefined): string {
  const line =
    mark && `underline decoration-wavy underline-offset-2 ${mark.severe ? 'decoration-error' : 'decoration-warn'}`;
  return `${escaped ? 'rounded-sm bg-warn/12 text-warn' : ''} ${line ?? ''}`;
}

function title(escaped: boolean, mark: RawMark | undefined): string | undefined {
  if (mark) return visibleText(mark.text);
  return escaped ? 'Not printable as it stands: shown as an escape' : undefined;
}
