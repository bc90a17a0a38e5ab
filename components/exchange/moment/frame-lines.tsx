import { classNames } from '@/components/ui/class-names';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { AnsiText } from '@/components/untrusted/ansi-text';
import { shortenText } from '@/components/untrusted/untrusted-text';
import { useFrameBytes } from '@/lib/hooks/log';
import { useLogTimes } from '@/lib/hooks/times';
import type { Log } from '@/lib/store/log';
import { FrameLink } from '../frame-link';

/** Height of a line in px, and most lines that are shown without scrolling. */
const LINE_PX = 18;
const MOST_LINES = 12;
/** Characters of a line that are shown; the log has the whole line. */
const LINE_CHARS = 2_000;

/** Frames as lines of text, each with a link to its frame. Only visible lines are rendered. */
export function FrameLines({
  log,
  seqs,
  label,
  kind,
  textOf = (seq) => log.text(seq - 1),
  at,
  className,
}: {
  readonly log: Log;
  readonly seqs: readonly number[];
  /** Names the list. */
  readonly label: string;
  /** Names each frame for screen readers. */
  readonly kind: string;
  readonly textOf?: (seq: number) => string;
  /** A frame to mark and scroll to. Without one, the newest line stays in view. */
  readonly at?: number | undefined;
  readonly className?: string;
}) {
  const marked = at === undefined ? -1 : seqs.indexOf(at);
  return (
    <div style={className === undefined ? { height: Math.min(seqs.length, MOST_LINES) * LINE_PX + 16 } : undefined}>
      <VirtualRows
        count={seqs.length}
        rowHeight={LINE_PX}
        follow
        {...(marked >= 0 && { reveal: marked })}
        label={label}
        className={classNames('border border-line bg-surface font-mono text-wire', className ?? 'h-full')}
        render={(index) => {
          const seq = seqs[index]!;
          return <Line log={log} seq={seq} kind={kind} text={textOf} isMarked={seq === at} />;
        }}
      />
    </div>
  );
}

function Line({
  log,
  seq,
  kind,
  text,
  isMarked,
}: {
  readonly log: Log;
  readonly seq: number;
  readonly kind: string;
  readonly text: (seq: number) => string;
  readonly isMarked: boolean;
}) {
  useFrameBytes(log, [seq]);
  const times = useLogTimes(log);
  return (
    <div
      className={classNames('flex gap-2 px-2', isMarked && 'bg-error/10')}
      title={times.shown(log.columns.time(seq - 1))}
    >
      <span className="w-12 shrink-0 text-right">
        <FrameLink seq={seq} label={kind} short />
      </span>
      <span className="whitespace-pre">
        <AnsiText text={shortenText(text(seq), LINE_CHARS)} />
      </span>
    </div>
  );
}
