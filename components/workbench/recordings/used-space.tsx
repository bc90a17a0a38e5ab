import { formatCount } from '@/components/ui/format';
import type { RecordingEntry, RecordingsKept } from '@/lib/wire/api';

const MIB = 1024 ** 2;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How much of what may be kept is used. */
export function UsedSpace({
  keep,
  recordings,
}: {
  readonly keep: RecordingsKept;
  readonly recordings: readonly RecordingEntry[];
}) {
  const used = recordings.reduce((sum, { bytes }) => sum + bytes, 0);
  const begun = recordings.map(({ at }) => Date.parse(at)).filter((ms) => !Number.isNaN(ms));
  const oldest = begun.length === 0 ? undefined : Math.floor((Date.now() - Math.min(...begun)) / DAY_MS);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <meter aria-label="Space used" min={0} max={keep.bytes} value={used} className="h-2 w-24" />
      <span className="tabular">
        {formatCount(recordings.length)} {recordings.length === 1 ? 'recording' : 'recordings'}, {mib(used)} of it used
        {oldest !== undefined && oldest >= 0 && `, the oldest ${dayWords(oldest)}`}
      </span>
    </span>
  );
}

function mib(bytes: number): string {
  return `${bytes < MIB / 20 ? 'less than 0.1' : (bytes / MIB).toFixed(1)} MiB`;
}

function dayWords(days: number): string {
  if (days === 0) return 'from today';
  return days === 1 ? 'one day old' : `${formatCount(days)} days old`;
}
