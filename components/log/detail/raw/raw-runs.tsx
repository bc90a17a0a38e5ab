import { memo, useMemo } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { byteRuns } from './byte-text';

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
export const RawRuns = memo(function RawRuns({
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
