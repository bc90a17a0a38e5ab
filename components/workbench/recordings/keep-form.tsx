import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { formatCount } from '@/components/ui/format';
import { TextInput } from '@/components/ui/text-input';
import type { RecordingEntry, RecordingsKept } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';

const MIB = 1024 ** 2;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How long, and how much, is kept, and what of that is used. */
export function KeepForm({
  keep,
  recordings,
  onKeep,
}: {
  readonly keep: RecordingsKept;
  readonly recordings: readonly RecordingEntry[];
  readonly onKeep: (keep: RecordingsKept) => Promise<boolean>;
}) {
  const [days, setDays] = useState(String(keep.days));
  const [size, setSize] = useState(String(Math.round(keep.bytes / MIB)));
  const wanted = { days: Number(days), bytes: Number(size) * MIB };
  const sound = isWithin(wanted.days, LIMITS.keepDaysMost) && isWithin(Number(size), LIMITS.keepBytesMost / MIB);
  const changed = wanted.days !== keep.days || Number(size) !== Math.round(keep.bytes / MIB);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (sound && changed) void onKeep(wanted);
  };
  const field = (label: string, value: string, change: (text: string) => void, unit: string) => (
    <span className="flex items-center gap-1">
      <TextInput
        aria-label={label}
        inputMode="numeric"
        value={value}
        onChange={change}
        aria-invalid={!sound}
        className="w-20! text-right"
      />
      {unit}
    </span>
  );
  return (
    <form onSubmit={save} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-2 text-muted">
      <span className="flex items-center gap-2">
        Keep them for {field('Days', days, setDays, 'days')} and up to {field('MiB', size, setSize, 'MiB')}
        {changed && (
          <Button type="submit" size="small" disabled={!sound}>
            Save
          </Button>
        )}
      </span>
      <Used keep={keep} recordings={recordings} />
      <span className="min-w-0 basis-full text-small">
        Older ones, and the oldest beyond that, are deleted whenever mcp-inspect starts and a recording ends. Imported
        ones stay.
      </span>
    </form>
  );
}

function Used({ keep, recordings }: Pick<Parameters<typeof KeepForm>[0], 'keep' | 'recordings'>) {
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

function isWithin(number: number, most: number): boolean {
  return Number.isSafeInteger(number) && number >= 1 && number <= most;
}
