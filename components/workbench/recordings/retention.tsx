import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useFocusReturn } from '@/components/ui/focus';
import { TextInput } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import type {
  DeletedRecordings,
  RecordingEntry,
  RecordingsReply,
  RecordingsTotal,
  RetentionReply,
  RetentionSettings,
} from '@/lib/wire/api';
import { formatBytes, formatCount } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { deletedNotice, formatLeaving, formatRecordings } from './labels';

/** What is recorded, and where. */
export function RecordedNote({
  reply,
  inBrowser,
}: {
  readonly reply: Pick<RecordingsReply, 'folder' | 'off'> | undefined;
  /** Whether the browser records, where that is who would. */
  readonly inBrowser: { readonly on: boolean } | undefined;
}) {
  return (
    <p className="min-w-0 flex-1 basis-72 text-muted">
      {recordedWords(reply?.off === true, inBrowser)}
      {reply && reply.folder !== '' && (
        <>
          {reply.off ? ' What was recorded before is in ' : ', in '}
          <span className="font-mono text-wire break-all">{visibleText(reply.folder)}</span>
        </>
      )}
      .
    </p>
  );
}

function recordedWords(off: boolean, inBrowser: { readonly on: boolean } | undefined): string {
  if (off) return 'Nothing of this run is recorded, since mcp-inspect was started with --no-record.';
  const what =
    inBrowser?.on === false
      ? 'Nothing that is connected from now on is recorded'
      : 'Every connection of the page is recorded as it runs';
  if (!inBrowser) return what;
  return `${what}, in this browser, without known secrets; what else is served from this address can read it`;
}

const MB = 1_000_000;
const DAYS_MOST = LIMITS.keepDaysMost;
const MB_MOST = LIMITS.keepBytesMost / MB;

/** How long, and how much, is kept, and what of that is used. What would delete recordings is asked about once more. */
export function RetentionForm({
  keep,
  recordings,
  older,
  onKeep,
}: {
  readonly keep: RetentionSettings;
  readonly recordings: readonly RecordingEntry[];
  readonly older?: RecordingsTotal | undefined;
  /** Saves it, or with recordings to lose, unless `anyway`, only says what would go. Resolves to undefined if that failed. */
  readonly onKeep: (keep: RetentionSettings, anyway: boolean) => Promise<RetentionReply | undefined>;
}) {
  const [days, setDays] = useState(String(keep.days));
  const [size, setSize] = useState(String(Math.round(keep.bytes / MB)));
  const isResized = Number(size) !== Math.round(keep.bytes / MB);
  const wanted = { days: Number(days), bytes: isResized ? Number(size) * MB : keep.bytes };
  const wrong = { days: !isWithin(wanted.days, DAYS_MOST), size: !isWithin(Number(size), MB_MOST) };
  const sound = !wrong.days && !wrong.size;
  const changed = wanted.days !== keep.days || isResized;
  const [reply, setReply] = useState<RetentionReply>();
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
          {reply?.saved && (reply.count === 0 ? 'Saved.' : `Saved. ${formatLeaving(reply)} went.`)}
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
        <ConfirmDelete act="Save and delete" onAct={() => void save(true)} onKeep={() => setReply(undefined)}>
          With that, {formatLeaving(reply)} will be deleted now. Nothing brings {reply.count === 1 ? 'it' : 'them'}{' '}
          back.
        </ConfirmDelete>
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

/** How long, and how much, a browser keeps, and what of that is used. */
export function BrowserRetention(props: {
  readonly keep: RetentionSettings;
  readonly recordings: readonly RecordingEntry[];
}) {
  const { days, bytes } = props.keep;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-2 text-muted">
      <span>
        Kept for {days} days, and up to {formatBytes(bytes)}
      </span>
      <UsedSpace {...props} />
      <span className="min-w-0 basis-full text-small">
        As others are recorded, older ones are deleted, and those that the newer ones leave no room for. What has a
        name, notes or bookmarks stays until you delete it, and takes room, too.
      </span>
    </div>
  );
}

const NONE: RecordingsTotal = { count: 0, bytes: 0 };
const DAY_MS = 24 * 60 * 60 * 1000;

/** How much of what may be kept is used, and how much is kept besides. */
export function UsedSpace({
  keep,
  recordings,
  older = NONE,
}: {
  readonly keep: RetentionSettings;
  readonly recordings: readonly RecordingEntry[];
  /** Those that are not listed, of which nobody has looked whether they stay. */
  readonly older?: RecordingsTotal | undefined;
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
        {formatRecordings(counted.length + older.count)}, {formatBytes(used)} of {formatBytes(keep.bytes)} used
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

/** That there are more recordings than are listed. */
export function OlderNote({
  listed,
  older,
  onMore,
}: {
  readonly listed: number;
  readonly older: RecordingsTotal;
  readonly onMore: () => void;
}) {
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-muted">
      <span className="tabular">
        The newest {formatCount(listed)} of {formatCount(listed + older.count)} are listed; the rest has{' '}
        {formatBytes(older.bytes)}.
      </span>
      <Button size="small" onClick={onMore}>
        List more
      </Button>
    </p>
  );
}

/** What age and size took since somebody last looked. */
export function DeletedNote({ deleted, onSeen }: { readonly deleted: DeletedRecordings; readonly onSeen: () => void }) {
  const when = new Date(deleted.at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 bg-warn/8 px-2 py-1">
      <p className="min-w-0 flex-1 basis-60">{deletedNotice(deleted, when)}</p>
      <Button size="small" variant="ghost" onClick={onSeen}>
        Don’t show again
      </Button>
    </div>
  );
}

/** Asks before recordings are lost. Keeping them has the focus, and is what Esc does; then the focus is back where it was. */
export function ConfirmDelete({
  act,
  onAct,
  onKeep,
  children,
}: {
  /** What loses them, a verb. */
  readonly act: string;
  readonly onAct: () => void;
  readonly onKeep: () => void;
  readonly children: ReactNode;
}) {
  const goBack = useFocusReturn();
  const keep = () => {
    goBack();
    onKeep();
  };
  return (
    <div
      role="alert"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // The dialog around it stays.
        event.preventDefault();
        keep();
      }}
      className="flex basis-full flex-wrap items-center gap-2 bg-error/8 px-2 py-1 text-text"
    >
      <p className="min-w-0 flex-1 basis-60 break-words">{children}</p>
      <Button size="small" variant="danger" onClick={onAct}>
        {act}
      </Button>
      <Button size="small" variant="ghost" autoFocus onClick={keep}>
        Keep
      </Button>
    </div>
  );
}
