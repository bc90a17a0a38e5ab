import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextInput } from '@/components/ui/text-input';
import type { RecordingEntry, RecordingsKept } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { UsedSpace } from './used-space';

const MIB = 1024 ** 2;

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
      <UsedSpace keep={keep} recordings={recordings} />
      <span className="min-w-0 basis-full text-small">
        Older ones, and the oldest beyond that, are deleted whenever mcp-inspect starts and a recording ends. Imported
        ones stay.
      </span>
    </form>
  );
}

function isWithin(number: number, most: number): boolean {
  return Number.isSafeInteger(number) && number >= 1 && number <= most;
}
