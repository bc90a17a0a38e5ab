import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextInput } from '@/components/ui/text-input';
import type { RecordingEntry, RecordingsKeepReply, RecordingsKept } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { leavingWords } from './kept-words';
import { UsedSpace } from './used-space';

const MIB = 1024 ** 2;

/** How long, and how much, is kept, and what of that is used. What would delete recordings is asked about once more. */
export function KeepForm({
  keep,
  recordings,
  onKeep,
}: {
  readonly keep: RecordingsKept;
  readonly recordings: readonly RecordingEntry[];
  /** Saves it, or with recordings to lose, unless `anyway`, only says what would go. Resolves to undefined if that failed. */
  readonly onKeep: (keep: RecordingsKept, anyway: boolean) => Promise<RecordingsKeepReply | undefined>;
}) {
  const [days, setDays] = useState(String(keep.days));
  const [size, setSize] = useState(String(Math.round(keep.bytes / MIB)));
  const wanted = { days: Number(days), bytes: Number(size) * MIB };
  const sound = isWithin(wanted.days, LIMITS.keepDaysMost) && isWithin(Number(size), LIMITS.keepBytesMost / MIB);
  const changed = wanted.days !== keep.days || Number(size) !== Math.round(keep.bytes / MIB);
  const [reply, setReply] = useState<RecordingsKeepReply>();
  const save = async (anyway: boolean) => setReply(await onKeep(wanted, anyway));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sound && changed) void save(false);
  };
  const type = (change: (text: string) => void) => (text: string) => {
    setReply(undefined);
    change(text);
  };
  const isAsking = reply?.saved === false;
  const field = (label: string, value: string, change: (text: string) => void, unit: string) => (
    <span className="flex items-center gap-1">
      <TextInput
        aria-label={label}
        inputMode="numeric"
        value={value}
        onChange={type(change)}
        aria-invalid={!sound}
        className="w-20! text-right"
      />
      {unit}
    </span>
  );
  return (
    <form
      onSubmit={submit}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-2 text-muted"
    >
      <span className="flex items-center gap-2">
        Keep them for {field('Days', days, setDays, 'days')} and up to {field('MiB', size, setSize, 'MiB')}
        {changed && !isAsking && (
          <Button type="submit" size="small" disabled={!sound}>
            Save
          </Button>
        )}
        <span role="status" className="tabular">
          {reply?.saved && (reply.count === 0 ? 'Saved.' : `Saved. ${leavingWords(reply)} went.`)}
        </span>
      </span>
      {isAsking && (
        <div role="alert" className="flex basis-full flex-wrap items-center gap-2 bg-error/8 px-2 py-1 text-text">
          <p className="min-w-0 flex-1 basis-60">
            With that, {leavingWords(reply)} will be deleted now. Nothing brings {reply.count === 1 ? 'it' : 'them'}{' '}
            back.
          </p>
          <Button size="small" variant="danger" onClick={() => void save(true)}>
            Save and delete
          </Button>
          <Button size="small" variant="ghost" autoFocus onClick={() => setReply(undefined)}>
            Keep
          </Button>
        </div>
      )}
      <UsedSpace keep={keep} recordings={recordings} />
      <span className="min-w-0 basis-full text-small">
        Whenever mcp-inspect starts and a recording ends, older ones are deleted, and those that the newer ones leave no
        room for; never the newest for its size, and none for the size as long as that one alone is larger. What was
        imported, or has a name, notes or bookmarks, stays, and does not count.
      </span>
    </form>
  );
}

function isWithin(number: number, most: number): boolean {
  return Number.isSafeInteger(number) && number >= 1 && number <= most;
}
