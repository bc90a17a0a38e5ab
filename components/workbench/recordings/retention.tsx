import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useFocusReturn } from '@/components/ui/focus';
import { TextInput } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { useDraft } from '@/lib/hooks/drafts';
import { DAY_MS } from '@/lib/recording/retention';
import type {
  DeletedRecordings,
  RecordingEntry,
  RecordingsReply,
  RecordingsTotal,
  RetentionReply,
  RetentionSettings,
} from '@/lib/wire/api';
import { countOf, formatBytes, formatCount, formatDate } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { deletedNotice, formatLeaving } from './labels';

/** Says whether connections are recorded, and where to. */
export function RecordedNote({
  reply,
  inBrowser,
}: {
  readonly reply: Pick<RecordingsReply, 'folder' | 'off'> | undefined;
  /** Whether the browser records; undefined if mcp-inspect records instead. */
  readonly inBrowser: { readonly on: boolean } | undefined;
}) {
  return (
    <p className="min-w-0 flex-1 basis-72 text-muted">
      {recordedText(reply?.off === true, inBrowser)}
      {reply && reply.folder !== '' && (
        <>
          {reply.off ? ' Earlier recordings are in ' : ' in '}
          <span className="font-mono text-wire break-all">{visibleText(reply.folder)}</span>
        </>
      )}
      .
    </p>
  );
}

function recordedText(off: boolean, inBrowser: { readonly on: boolean } | undefined): string {
  if (off) return 'Recording is off: mcp-inspect was started with --record off.';
  if (!inBrowser) return 'Every connection is recorded';
  const what = inBrowser.on
    ? 'Every connection is recorded in this browser, without known secrets'
    : 'New connections are not recorded in this browser';
  return `${what}. Other pages from this address can read the recordings`;
}

const MB = 1_000_000;
const DAYS_MOST = LIMITS.keepDaysMost;
const MB_MOST = LIMITS.keepBytesMost / MB;

/** Sets how long recordings are kept, and how many MB. Asks again before a change deletes any. */
export function RetentionForm({
  keep,
  recordings,
  older,
  onKeep,
}: {
  readonly keep: RetentionSettings;
  readonly recordings: readonly RecordingEntry[];
  readonly older?: RecordingsTotal | undefined;
  /**
   * Saves the settings. If that would delete recordings, only reports them, unless `anyway`. Undefined if it failed.
   */
  readonly onKeep: (keep: RetentionSettings, anyway: boolean) => Promise<RetentionReply | undefined>;
}) {
  const [typedDays, setDays] = useDraft<string | null>('retention days', null);
  const [typedSize, setSize] = useDraft<string | null>('retention size', null);
  const days = typedDays ?? String(keep.days);
  const size = typedSize ?? String(Math.round(keep.bytes / MB));
  const isResized = Number(size) !== Math.round(keep.bytes / MB);
  const wanted = { days: Number(days), bytes: isResized ? Number(size) * MB : keep.bytes };
  const wrong = { days: !isWithin(wanted.days, DAYS_MOST), size: !isWithin(Number(size), MB_MOST) };
  const sound = !wrong.days && !wrong.size;
  const changed = wanted.days !== keep.days || isResized;
  const [reply, setReply] = useState<RetentionReply>();
  const save = async (anyway: boolean) => {
    const result = await onKeep(wanted, anyway);
    setReply(result);
    if (!result?.saved) return;
    setDays(null);
    setSize(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sound && changed) void save(false);
  };
  const isAsking = reply?.saved === false;
  const wrongId = useId();
  const field = { onType: () => setReply(undefined), wrongId };
  return (
    <form
      onSubmit={submit}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-2 text-muted"
    >
      <span className="flex items-center gap-2">
        Keep them for <NumberField {...field} label="Days" value={days} onChange={setDays} isWrong={wrong.days} /> days
        and up to <NumberField {...field} label="MB" value={size} onChange={setSize} isWrong={wrong.size} /> MB
        {changed && !isAsking && (
          <Button type="submit" size="small" disabled={!sound}>
            Save
          </Button>
        )}
        <span role="status" className="tabular">
          {reply?.saved && (reply.count === 0 ? 'Saved.' : `Saved. ${formatLeaving(reply)} deleted.`)}
        </span>
      </span>
      {!sound && (
        <p id={wrongId} role="alert" className="basis-full text-error">
          {wrong.days
            ? `Enter a whole number of days from 1 to ${formatCount(DAYS_MOST)}.`
            : `Enter a whole number of MB from 1 to ${formatCount(MB_MOST)}.`}
        </p>
      )}
      {isAsking && (
        <ConfirmDelete act="Save and delete" onAct={() => void save(true)} onKeep={() => setReply(undefined)}>
          This deletes {formatLeaving(reply)} now. It can’t be undone.
        </ConfirmDelete>
      )}
      <UsedSpace keep={keep} recordings={recordings} older={older} />
      <span className="min-w-0 basis-full text-small">
        mcp-inspect checks these limits when it starts and when a recording ends. It deletes the oldest recordings
        first. If the newest one alone exceeds the size limit, nothing is deleted for size. Recordings that are
        imported, or have a name, notes or bookmarks, are exempt.
      </span>
    </form>
  );
}

function NumberField({
  label,
  value,
  isWrong,
  wrongId,
  onType,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly isWrong: boolean;
  /** id of the sentence that says what is wrong. */
  readonly wrongId: string;
  readonly onType: () => void;
  readonly onChange: (text: string) => void;
}) {
  return (
    <TextInput
      aria-label={label}
      inputMode="numeric"
      value={value}
      onChange={(text) => {
        onType();
        onChange(text);
      }}
      aria-invalid={isWrong}
      aria-describedby={isWrong ? wrongId : undefined}
      className="w-20! text-right"
    />
  );
}

function isWithin(number: number, most: number): boolean {
  return Number.isSafeInteger(number) && number >= 1 && number <= most;
}

/** Says how long the browser keeps recordings, and how much space they use. */
export function BrowserRetention(props: {
  readonly keep: RetentionSettings;
  readonly recordings: readonly RecordingEntry[];
}) {
  const { days, bytes } = props.keep;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-2 text-muted">
      <span>
        Kept for {days} days, up to {formatBytes(bytes)}
      </span>
      <UsedSpace {...props} />
      <span className="min-w-0 basis-full text-small">
        New recordings replace the oldest ones. Recordings with a name, notes or bookmarks stay until you delete them,
        but count towards the limit.
      </span>
    </div>
  );
}

const NONE: RecordingsTotal = { count: 0, bytes: 0 };

/** Shows how much of the limit is used, and how many recordings are exempt from it. */
export function UsedSpace({
  keep,
  recordings,
  older = NONE,
}: {
  readonly keep: RetentionSettings;
  readonly recordings: readonly RecordingEntry[];
  /** Recordings that are not listed. They count as used, because it is unknown whether they are exempt. */
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
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw a meter in their own colours, whatever the theme */}
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
        {countOf(counted.length + older.count, 'recording')}, {formatBytes(used)} of {formatBytes(keep.bytes)} used
        {staying > 0 && `; ${formatCount(staying)} exempt, ${formatBytes(bytesOf(recordings) + older.bytes - used)}`}
        {oldest !== undefined && oldest >= 0 && `; oldest ${ageText(oldest)}`}
      </span>
      {over > 0 && <span className="tabular text-warn">{formatBytes(over)} over the limit</span>}
    </span>
  );
}

function bytesOf(recordings: readonly RecordingEntry[]): number {
  return recordings.reduce((sum, { bytes }) => sum + bytes, 0);
}

function ageText(days: number): string {
  if (days === 0) return 'from today';
  return `${countOf(days, 'day')} old`;
}

/** Says that there are more recordings than are listed. */
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
        Showing the newest {formatCount(listed)} of {formatCount(listed + older.count)}. The others take{' '}
        {formatBytes(older.bytes)}.
      </span>
      <Button size="small" onClick={onMore}>
        Show more
      </Button>
    </p>
  );
}

/** Says which recordings the limits deleted since the user last dismissed this. */
export function DeletedNote({ deleted, onSeen }: { readonly deleted: DeletedRecordings; readonly onSeen: () => void }) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 bg-warn/8 px-2 py-1">
      <p className="min-w-0 flex-1 basis-60">{deletedNotice(deleted, formatDate(deleted.at))}</p>
      <Button size="small" variant="ghost" onClick={onSeen}>
        Dismiss
      </Button>
    </div>
  );
}

/** Asks before recordings are deleted. "Keep" has the focus, and Esc presses it. Then the focus returns. */
export function ConfirmDelete({
  act,
  onAct,
  onKeep,
  children,
}: {
  /** The label of the deleting button, a verb. */
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
        // Keeps the page's shortcuts from using it too.
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
