import { type FormEvent, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { formatCount } from '@/components/ui/format';
import { TextInput } from '@/components/ui/text-input';
import type { RecordingEntry, RecordingsKeepReply, RecordingsKept, RecordingsLeaving } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { leavingWords } from './kept-words';
import { LossQuestion } from './loss-question';
import { UsedSpace } from './used-space';

const MB = 1_000_000;
const DAYS_MOST = LIMITS.keepDaysMost;
const MB_MOST = LIMITS.keepBytesMost / MB;

/** How long, and how much, is kept, and what of that is used. What would delete recordings is asked about once more. */
export function KeepForm({
  keep,
  recordings,
  older,
  onKeep,
}: {
  readonly keep: RecordingsKept;
  readonly recordings: readonly RecordingEntry[];
  readonly older?: RecordingsLeaving | undefined;
  /** Saves it, or with recordings to lose, unless `anyway`, only says what would go. Resolves to undefined if that failed. */
  readonly onKeep: (keep: RecordingsKept, anyway: boolean) => Promise<RecordingsKeepReply | undefined>;
}) {
  const [days, setDays] = useState(String(keep.days));
  const [size, setSize] = useState(String(Math.round(keep.bytes / MB)));
  const isResized = Number(size) !== Math.round(keep.bytes / MB);
  const wanted = { days: Number(days), bytes: isResized ? Number(size) * MB : keep.bytes };
  const wrong = { days: !isWithin(wanted.days, DAYS_MOST), size: !isWithin(Number(size), MB_MOST) };
  const sound = !wrong.days && !wrong.size;
  const changed = wanted.days !== keep.days || isResized;
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
  const wrongId = useId();
  const field = (label: string, value: string, change: (text: string) => void, isWrong: boolean) => (
    <span className="flex items-center gap-1">
      <TextInput
        aria-label={label}
        inputMode="numeric"
        value={value}
        onChange={type(change)}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? wrongId : undefined}
        className="w-20! text-right"
      />
    </span>
  );
  return (
    <form
      onSubmit={submit}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-2 text-muted"
    >
      <span className="flex items-center gap-2">
        Keep them for {field('Days', days, setDays, wrong.days)} days and up to {field('MB', size, setSize, wrong.size)}{' '}
        MB
        {changed && !isAsking && (
          <Button type="submit" size="small" disabled={!sound}>
            Save
          </Button>
        )}
        <span role="status" className="tabular">
          {reply?.saved && (reply.count === 0 ? 'Saved.' : `Saved. ${leavingWords(reply)} went.`)}
        </span>
      </span>
      {!sound && (
        <p id={wrongId} role="alert" className="basis-full text-error">
          {wrong.days
            ? `Days have to be a whole number from 1 to ${formatCount(DAYS_MOST)}.`
            : `MB have to be a whole number from 1 to ${formatCount(MB_MOST)}.`}
        </p>
      )}
      {isAsking && (
        <LossQuestion act="Save and delete" onAct={() => void save(true)} onKeep={() => setReply(undefined)}>
          With that, {leavingWords(reply)} will be deleted now. Nothing brings {reply.count === 1 ? 'it' : 'them'} back.
        </LossQuestion>
      )}
      <UsedSpace keep={keep} recordings={recordings} older={older} />
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
