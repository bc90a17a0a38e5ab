import { memo, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { formatBytes } from '@/components/ui/format';
import { byteRuns, characterEnd } from './byte-text';

/** Bytes laid out at first and with each press: one line of this length still wraps without a pause. */
const PART = 64 * 1024;

/** A frame's bytes as text, exactly, hidden and invalid ones as marked escapes. A large frame is shown in parts. */
export function RawText({ bytes }: { readonly bytes: Uint8Array }) {
  const [parts, setParts] = useState(1);
  const ends = useMemo(() => {
    const list: number[] = [];
    for (let at = 0; at < bytes.length && list.length < parts; ) {
      at = characterEnd(bytes, at + PART);
      list.push(at);
    }
    return list;
  }, [bytes, parts]);
  const shown = ends.at(-1) ?? 0;
  const left = bytes.length - shown;
  if (bytes.length === 0) return <p className="p-2 text-muted">An empty line: 0 bytes.</p>;
  return (
    <div className="p-2">
      <pre className="font-mono text-wire break-all whitespace-pre-wrap">
        {ends.map((end, index) => (
          <Part key={end} bytes={bytes} start={index === 0 ? 0 : ends[index - 1]!} end={end} />
        ))}
      </pre>
      {left > 0 && (
        <div className="mt-2 flex items-center gap-2">
          <Button size="small" onClick={() => setParts(parts + 4)}>
            Show {formatBytes(Math.min(left, PART * 4))} more
          </Button>
          <span className="text-muted">
            {formatBytes(left)} of {formatBytes(bytes.length)} not shown
          </span>
        </div>
      )}
    </div>
  );
}

const Part = memo(function Part({
  bytes,
  start,
  end,
}: {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}) {
  const runs = useMemo(() => byteRuns(bytes.subarray(start, end)), [bytes, start, end]);
  let at = 0;
  return runs.map((run) => {
    const key = at;
    at += run.text.length;
    if (!run.escaped) return <span key={key}>{run.text}</span>;
    return (
      <span
        key={key}
        className="rounded-sm bg-warn/12 text-warn"
        title="Not printable as it stands: shown as an escape"
      >
        {run.text}
      </span>
    );
  });
});
