import { formatCount } from '@/components/ui/format';
import type { RecordingEntry, RecordingsKept, RecordingsLeaving } from '@/lib/wire/api';
import { formatBytes } from '@/lib/wire/format-bytes';
import { recordingsWords } from './kept-words';

const NONE: RecordingsLeaving = { count: 0, bytes: 0 };
const DAY_MS = 24 * 60 * 60 * 1000;

/** How much of what may be kept is used, and how much is kept besides. */
export function UsedSpace({
  keep,
  recordings,
  older = NONE,
}: {
  readonly keep: RecordingsKept;
  readonly recordings: readonly RecordingEntry[];
  /** Those that are not listed, of which nobody has looked whether they stay. */
  readonly older?: RecordingsLeaving | undefined;
}) {
  const counted = recordings.filter(({ stays }) => !stays);
  const staying = recordings.length - counted.length;
  const used = bytesOf(counted) + older.bytes;
  const over = used - keep.bytes;
  const begun = recordings.map(({ at }) => Date.parse(at)).filter((ms) => !Number.isNaN(ms));
  const oldest =
    begun.length === 0 || older.count > 0 ? undefined : Math.floor((Date.now() - Math.min(...begun)) / DAY_MS);
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw a meter in colors of their own, whatever the theme */}
      <span
        role="meter"
        aria-label="Space used"
        aria-valuemin={0}
        aria-valuemax={Math.max(keep.bytes, used)}
        aria-valuenow={used}
        className="inline-flex h-1 w-24 bg-line"
      >
        <span
          className={over > 0 ? 'bg-warn' : 'bg-accent'}
          style={{ width: `${(100 * used) / Math.max(1, keep.bytes, used)}%` }}
        />
      </span>
      <span className="tabular">
        {recordingsWords(counted.length + older.count)}, {formatBytes(used)} of {formatBytes(keep.bytes)} used
        {staying > 0 &&
          `; besides, ${formatCount(staying)} that ${staying === 1 ? 'stays' : 'stay'}, ${formatBytes(bytesOf(recordings) + older.bytes - used)}`}
        {oldest !== undefined && oldest >= 0 && `; the oldest ${dayWords(oldest)}`}
      </span>
      {over > 0 && <span className="tabular text-warn">{formatBytes(over)} too much</span>}
    </span>
  );
}

function bytesOf(recordings: readonly RecordingEntry[]): number {
  return recordings.reduce((sum, { bytes }) => sum + bytes, 0);
}

function dayWords(days: number): string {
  if (days === 0) return 'from today';
  return days === 1 ? 'one day old' : `${formatCount(days)} days old`;
}
