import { visibleText } from '@/components/ui/visible-text';
import type { CheckedRecording } from '@/lib/hooks/recordings';
import { missingStringsText } from '@/lib/recording/labels';
import type { DeletedRecordings, RecordingEntry, RecordingsTotal } from '@/lib/wire/api';
import { countOf, formatBytes, formatCount, formatDate, formatDuration } from '@/lib/wire/format';

type Named = Pick<RecordingEntry, 'about' | 'server' | 'name'>;

/** Returns a recording's name: a person's, else the server's own, else the connection's. */
export function recordingName({ about, server, name }: Named): string {
  return visibleText(about?.name || server || name);
}

/** Returns a recording's other names that differ. */
export function otherRecordingNames({ about, server, name }: Named): string {
  const [first, ...others] = [...new Set([about?.name, server, name].filter((each) => each))];
  return first === undefined ? '' : others.map((other) => visibleText(other!)).join(' · ');
}

/** True if every word of `wanted` is in a recording's names, note, id or time. */
export function matchesSearch(entry: RecordingEntry, wanted: string): boolean {
  const said = [recordingName(entry), otherRecordingNames(entry), entry.about?.text, entry.id, formatDate(entry.at)]
    .join('\n')
    .toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/** Returns a recording's other names, start time, duration, frames and size. `checked`: what reading the file found. */
export function recordingFacts(entry: RecordingEntry, checked: CheckedRecording | undefined): readonly string[] {
  const { durationUs, frames } = { ...entry, ...checked };
  return [
    otherRecordingNames(entry),
    formatDate(entry.at),
    durationUs !== undefined && formatDuration(durationUs),
    frames !== undefined && countOf(frames, 'frame'),
    formatBytes(entry.bytes),
  ].flatMap((fact) => fact || []);
}

/** A badge for a recording that is unusual, damaged or still being written. */
export interface RecordingMark {
  readonly tone: 'accent' | 'warn' | 'error';
  readonly word: string;
  readonly why: string;
}

/** Returns a recording's badges. `checked`: what reading the whole file found, if it was read. */
export function recordingMarks(entry: RecordingEntry, checked: CheckedRecording | undefined): readonly RecordingMark[] {
  const { live, unreadable, incomplete, newer } = entry;
  if (live) return [{ tone: 'accent', word: 'being recorded', why: 'mcp-inspect is still writing this recording' }];
  if (unreadable) return [{ tone: 'error', word: 'not a recording', why: 'The first line is not a recording header' }];
  const { damaged, withoutBlob, missing, changed } = checked?.report ?? NOTHING;
  const imported = IMPORTED.test(entry.id);
  const cut = checked ? !checked.report.ended : incomplete;
  return [
    ...(imported
      ? [{ tone: 'accent', word: 'imported', why: 'Imported recordings are never deleted automatically' } as const]
      : []),
    ...(newer === undefined
      ? []
      : [
          {
            tone: 'warn',
            word: 'newer format',
            why: `Format version ${newer}: update mcp-inspect to open it`,
          } as const,
        ]),
    ...(cut
      ? [
          {
            tone: 'warn',
            word: 'incomplete',
            why: 'The end line is missing: mcp-inspect was probably killed',
          } as const,
        ]
      : []),
    ...(changed
      ? [{ tone: 'warn', word: 'changed', why: 'The file was modified after it was recorded' } as const]
      : []),
    ...(damaged.count > 0
      ? [{ tone: 'warn', word: countOf(damaged.count, 'damaged line'), why: leftOut(withoutBlob) } as const]
      : []),
    ...(missing > 0
      ? [{ tone: 'warn', word: countOf(missing, 'missing frame'), why: 'The frame numbers have gaps' } as const]
      : []),
  ];
}

const NOTHING = { damaged: { count: 0 }, withoutBlob: 0, missing: 0, changed: false } as const;

function leftOut(withoutBlob: number): string {
  return withoutBlob === 0
    ? 'Damaged lines are skipped'
    : `Damaged lines are skipped. ${missingStringsText(withoutBlob)}`;
}

/** Matches the file name of an imported recording (proxy/recorder/file-names.ts). */
const IMPORTED = /-imported-[0-9a-f]{8}\.mcpr\.(?:gz|jsonl)$/;

/** Formats the number and size of deleted recordings: “3 recordings (2.0 MB)”. */
export function formatLeaving({ count, bytes }: RecordingsTotal): string {
  return `${countOf(count, 'recording')} (${formatBytes(bytes)})`;
}

/** Returns a sentence on what was deleted by age and size. `when`: the time of the last deletion, formatted. */
export function deletedNotice({ old, large, bytes, keep }: DeletedRecordings, when: string): string {
  const count = old + large;
  const over = `over the limit of ${formatBytes(keep.bytes)}`;
  const age = `older than ${countOf(keep.days, 'day')}`;
  const why = old === 0 ? over : large === 0 ? age : `${formatCount(old)} ${age}, ${formatCount(large)} ${over}`;
  return `Deleted automatically: ${formatLeaving({ count, bytes })}, most recently ${when}. Reason: ${why}.`;
}
