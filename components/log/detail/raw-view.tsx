import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button, CopyButton } from '@/components/ui/button';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { Download } from '@/components/untrusted/download';
import { useDraft } from '@/lib/hooks/drafts';
import { formatBytes, formatCount } from '@/lib/wire/format';
import { runInSlices } from '@/lib/wire/in-slices';
import { byteRuns, type RawRows, rawRows } from './byte-rows';

/** Bytes laid out as a single text. Larger frames render only the rows in view. */
const WHOLE_BYTES = 64 * 1024;

/** A frame's exact bytes as text, with hidden and invalid ones as escapes, and buttons to copy and save them. */
export function RawView({
  bytes,
  text,
  name,
  marks,
}: {
  readonly bytes: Uint8Array;
  /** The whole text; called when it is copied. */
  readonly text: () => string;
  /** Name of the saved file. */
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
        <p className="p-2 text-muted">Empty line (0 bytes)</p>
      ) : bytes.length > WHOLE_BYTES ? (
        <RawWindow bytes={bytes} wrap={wrap} marks={marks} />
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
          tabIndex={0}
          className={`min-h-0 flex-1 overflow-auto p-2 font-mono text-wire ${wrap ? 'break-all whitespace-pre-wrap' : 'whitespace-pre'}`}
        >
          <RawRuns bytes={bytes} from={0} to={bytes.length} marks={marks} />
        </pre>
      )}
    </div>
  );
}

/** Height of a row and width of a character of wire text, in px. */
const ROW_HEIGHT = 18;
const CHARACTER_WIDTH = 7.23;
/** Padding on both sides of a row, in px. */
const PADDING = 28;
/** Columns after which an unwrapped line is cut: browsers can't lay out a line of ten megabytes. */
const LONGEST_LINE = 4096;

/** The rows of a large frame. */
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
  const [fitting, setFitting] = useState(0);
  const [rows, setRows] = useState<RawRows>();
  const columns = wrap ? fitting : LONGEST_LINE;

  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setFitting(Math.max(20, Math.floor((element.clientWidth - PADDING) / CHARACTER_WIDTH)));
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

  return (
    <>
      {!rows && <p className="p-2 text-muted">Laying out the lines…</p>}
      <VirtualRows
        ref={scroller}
        role="region"
        label="Bytes as text"
        count={rows?.count ?? 0}
        rowHeight={ROW_HEIGHT}
        className="min-h-0 flex-1 p-2 font-mono text-wire whitespace-pre"
        render={(row) => <RawRuns bytes={bytes} from={rows!.start(row)} to={rows!.start(row + 1)} marks={marks} />}
      />
    </>
  );
}

/** A problem with a range of bytes. */
export interface RawMark {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly severe: boolean;
}

interface Run {
  readonly at: number;
  readonly text: string;
  readonly escaped: boolean;
  readonly mark: RawMark | undefined;
}

/** Bytes as text: hidden and invalid ones as escapes, line feeds with a sign, problems underlined. */
const RawRuns = memo(function RawRuns({
  bytes,
  from,
  to,
  marks,
}: {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** In the order of the bytes, without overlaps. */
  readonly marks: readonly RawMark[];
}) {
  const runs = useMemo(() => runsOf(bytes, from, to, marks), [bytes, from, to, marks]);
  return runs.map(({ at, text, escaped, mark }) => (
    <span key={at} className={text === '\n' ? LINE_FEED : look(escaped, mark)} title={title(escaped, mark)}>
      {text}
    </span>
  ));
});

/** Drawn by CSS, so that selecting and copying the text leaves the sign out. */
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
  return escaped ? 'Not printable, shown as an escape' : undefined;
}
