import { formatCount } from '@/components/ui/format';
import type { CheckedRecording } from '@/lib/hooks/use-checked-recording';
import { withoutBlobWords } from '@/lib/recording/damage-words';
import type { RecordingEntry } from '@/lib/wire/api';

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
  return withoutBlob === 0 ? 'They are left out' : `They are left out. ${withoutBlobWords(withoutBlob)}`;
}

/** What is in the name that an imported one gets (proxy/recorder/file-names.ts). */
const IMPORTED = /-imported-[0-9a-f]{8}\.mcpr\.(?:gz|jsonl)$/;

function counted(count: number, what: string): string {
  return count === 1 ? `one ${what}` : `${formatCount(count)} ${what}s`;
}
