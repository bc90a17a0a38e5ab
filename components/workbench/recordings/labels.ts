import { visibleText } from '@/components/ui/visible-text';
import type { CheckedRecording } from '@/lib/hooks/recordings';
import { missingStringsText } from '@/lib/recording/labels';
import type { DeletedRecordings, RecordingEntry, RecordingsTotal } from '@/lib/wire/api';
import { formatBytes, formatCount, formatDuration } from '@/lib/wire/format';

type Named = Pick<RecordingEntry, 'about' | 'server' | 'name'>;

/** What a recording is called: by a person, else as its server calls itself, else as that was called where it was connected. */
export function recordingName({ about, server, name }: Named): string {
  return visibleText(about?.name || server || name);
}

/** Its other names, those that say something new. */
export function otherRecordingNames({ about, server, name }: Named): string {
  const [first, ...others] = [...new Set([about?.name, server, name].filter((each) => each))];
  return first === undefined ? '' : others.map((other) => visibleText(other!)).join(' · ');
}

/** Whether every word of `wanted` is in what is said of a recording. */
export function matchesSearch(entry: RecordingEntry, wanted: string): boolean {
  const said = [recordingName(entry), otherRecordingNames(entry), entry.about?.text, entry.id, entry.at]
    .join('\n')
    .toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/** Each a fact: what else a kept recording is called, when it was made, how long it is, how large; `checked` is what is known once it was read. */
export function recordingFacts(entry: RecordingEntry, checked: CheckedRecording | undefined): readonly string[] {
  const when = new Date(entry.at);
  const { durationUs, frames } = { ...entry, ...checked };
  return [
    otherRecordingNames(entry),
    !Number.isNaN(when.getTime()) && when.toLocaleString(),
    durationUs !== undefined && formatDuration(durationUs),
    frames !== undefined && (frames === 1 ? 'one frame' : `${formatCount(frames)} frames`),
    formatBytes(entry.bytes),
  ].flatMap((fact) => fact || []);
}

/** A word about a recording that is not as it should be, or not over. */
export interface RecordingMark {
  readonly tone: 'accent' | 'warn' | 'error';
  readonly word: string;
  readonly why: string;
}

/** What is special about a recording; `checked` is what was found when all of it was read, if it was. */
export function recordingMarks(entry: RecordingEntry, checked: CheckedRecording | undefined): readonly RecordingMark[] {
  const { live, unreadable, incomplete, newer } = entry;
  if (live) return [{ tone: 'accent', word: 'being recorded', why: 'The mcp-inspect that records it still runs' }];
  if (unreadable) return [{ tone: 'error', word: 'no recording', why: 'Its first line is not the header of one' }];
  const { damaged, withoutBlob, missing, changed } = checked?.report ?? NOTHING;
  const imported = IMPORTED.test(entry.id);
  const cut = checked ? !checked.report.ended : incomplete;
  return [
    ...(imported
      ? [{ tone: 'accent', word: 'imported', why: 'It comes from elsewhere: neither age nor size deletes it' } as const]
      : []),
    ...(newer === undefined
      ? []
      : [
          {
            tone: 'warn',
            word: 'newer format',
            why: `It has version ${newer} of the format: update mcp-inspect to see all of it`,
          } as const,
        ]),
    ...(cut
      ? [
          {
            tone: 'warn',
            word: 'incomplete',
            why: 'Its writer did not come to the end: it was killed, perhaps',
          } as const,
        ]
      : []),
    ...(changed ? [{ tone: 'warn', word: 'changed', why: 'Its end vouches for other bytes' } as const] : []),
    ...(damaged.count > 0
      ? [{ tone: 'warn', word: counted(damaged.count, 'damaged line'), why: leftOut(withoutBlob) } as const]
      : []),
    ...(missing > 0
      ? [{ tone: 'warn', word: counted(missing, 'missing frame'), why: 'Its numbers leave them out' } as const]
      : []),
  ];
}

const NOTHING = { damaged: { count: 0 }, withoutBlob: 0, missing: 0, changed: false } as const;

function leftOut(withoutBlob: number): string {
  return withoutBlob === 0 ? 'They are left out' : `They are left out. ${missingStringsText(withoutBlob)}`;
}

/** What is in the name that an imported one gets (proxy/recorder/file-names.ts). */
const IMPORTED = /-imported-[0-9a-f]{8}\.mcpr\.(?:gz|jsonl)$/;

function counted(count: number, what: string): string {
  return count === 1 ? `one ${what}` : `${formatCount(count)} ${what}s`;
}

/** “1 recording”, “1,234 recordings”. */
export function formatRecordings(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'recording' : 'recordings'}`;
}

/** What was deleted because somebody chose to keep less, or would be. */
export function formatLeaving({ count, bytes }: RecordingsTotal): string {
  return `${formatRecordings(count)}, ${formatBytes(bytes)},`;
}

/** A sentence on what was deleted by age and size, up to a time that is given in words. */
export function deletedNotice({ old, large, bytes, keep }: DeletedRecordings, when: string): string {
  const count = old + large;
  const below = `to keep no more than ${formatBytes(keep.bytes)}`;
  const age = `older than ${keep.days === 1 ? 'one day' : `${formatCount(keep.days)} days`}`;
  const why = old === 0 ? below : large === 0 ? age : `${formatCount(old)} ${age}, ${formatCount(large)} ${below}`;
  return `${formatLeaving({ count, bytes })} ${count === 1 ? 'was' : 'were'} deleted by ${when}: ${why}.`;
}
