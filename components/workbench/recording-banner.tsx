import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { saveFile } from '@/components/untrusted/download';
import { useLogState } from '@/lib/hooks/log';
import { CHANGED_TEXT, incompleteSourceText, missingStringsText, renumberedText } from '@/lib/recording/labels';
import { isNote } from '@/lib/recording/lifecycle-event';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingFacts, SelectionFacts } from '@/lib/wire/recording-facts';

/** Above everything that a recording shows: that it is one, how it came to be, and what is missing in it. */
export function RecordingBanner({
  log,
  recording,
  held,
  onEdit,
  onClose,
}: {
  readonly log: Log;
  readonly recording: RecordingFacts;
  /** To be saved, where the page is its viewer. */
  readonly held: HeldRecording | undefined;
  readonly onEdit: () => void;
  /** Absent in a file, which is this recording and nothing else. */
  readonly onClose: (() => void) | undefined;
}) {
  const start = useLogState(log, (state) => state.connection.start);
  const about = useLogState(log, ({ notes }) => notes.about);
  const words = recordingNotices(recording, held !== undefined);
  const when = start && new Date(start.at);
  const facts = [
    when && !Number.isNaN(when.getTime()) && when.toLocaleString(),
    recording.by !== '' && `by ${visibleText(recording.by)}`,
    recording.imported && 'made from a file of another kind',
    redactionNotice(recording),
  ];
  return (
    <section
      aria-label="About this recording"
      className={`flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1 ${words.length > 0 ? 'bg-warn/10' : 'bg-accent/8'}`}
    >
      <p className="min-w-0 flex-1 basis-96 break-words">
        <span className="font-medium">
          {onClose
            ? 'This is a recording: nothing can be sent.'
            : 'This file is a recording and its viewer: it sends nothing.'}
        </span>{' '}
        <span className="text-muted">
          {about.name !== '' && (
            <>
              <bdi className="font-medium text-text">{visibleText(about.name)}</bdi>
              {' · '}
            </>
          )}
          <bdi>{visibleText(recording.file)}</bdi>
          {facts.filter(Boolean).map((fact) => ` · ${fact}`)}
        </span>
        {about.text !== '' && (
          <span className="line-clamp-3 whitespace-pre-wrap">
            <span aria-hidden="true">✎ </span>
            {visibleText(about.text)}
          </span>
        )}
        {words.map((sentence) => (
          <span key={sentence} className="block text-warn">
            <span aria-hidden="true">! </span>
            {visibleText(sentence)}
          </span>
        ))}
      </p>
      {held && <SaveRecording held={held} log={log} last={recording.report?.last} />}
      {onClose && (
        <span className="flex flex-wrap gap-x-2 gap-y-1">
          {start && (
            <Button size="small" onClick={onEdit}>
              Connect to this server…
            </Button>
          )}
          <Button size="small" variant="ghost" onClick={onClose}>
            Close recording
          </Button>
        </span>
      )}
    </section>
  );
}

/** The recording that stands in the page itself. */
export interface HeldRecording {
  /** `NAME.mcpr.gz`. */
  readonly name: string;
  /** It as a plain file, with these notes behind its end. Rejects with a Failure. */
  saved(notes: readonly Frame[]): Promise<Blob>;
}

/** Saves the recording that stands in this page as a plain file, with the notes that were made here: what left once may leave again. */
function SaveRecording({
  held,
  log,
  last,
}: {
  readonly held: HeldRecording;
  readonly log: Log;
  /** seq of the file's last frame; undefined while it is still being read. */
  readonly last: number | undefined;
}) {
  const [failure, setFailure] = useState<Failure>();
  const save = async () => {
    try {
      const saved = await held.saved(last === undefined ? [] : notesBehind(log, last));
      saveFile(saved, held.name.replace(/\.gz$/, '.jsonl'));
      setFailure(undefined);
    } catch (error) {
      setFailure(
        isFailure(error) ? error : { code: 'internal', message: `${error}.`, advice: 'Ask for the file again.' },
      );
    }
  };
  return (
    <>
      <Button size="small" onClick={() => void save()} title="As a file that mcp-inspect opens, with your notes">
        Save recording
      </Button>
      {failure && <ErrorNote codeless failure={failure} />}
    </>
  );
}

/** What was said behind the frames of the file. */
function notesBehind(log: Log, last: number): readonly Frame[] {
  const notes: Frame[] = [];
  for (let index = last; index < log.size; index++) {
    const frame = log.frame(index);
    if (isNote(frame)) notes.push(frame);
  }
  return notes;
}

/** What is special about a recording, one sentence each; nothing if it is whole. `inFile`: the page is its viewer, and saves it. */
export function recordingNotices(
  { newer, report, failure, unsaved, selection, lacks, checking, indexIgnored }: RecordingFacts,
  inFile = false,
): readonly string[] {
  const words: string[] = selection ? [partWords(selection)] : [];
  if (lacks) words.push(incompleteSourceText(lacks));
  if (newer !== undefined) {
    words.push(`It has version ${newer} of the format, which is newer than this mcp-inspect: update to see all of it.`);
  }
  if (failure !== undefined) words.push(failure);
  if (indexIgnored) words.push('Its index does not say what its lines say, so it was read line by line.');
  if (!report)
    return [...words, checking ? 'Its lines are still being checked against its index.' : 'It is still being read.'];
  const { ended, complete, torn, damaged, withoutBlob, missing, unknown, changed } = report;
  if (changed) words.push(CHANGED_TEXT);
  if (!ended) {
    words.push(torn ? 'It is incomplete: its last line was cut off.' : WITHOUT_END);
  }
  if (damaged.count > 0) {
    const numbers = damaged.lines.join(', ') + (damaged.count > damaged.lines.length ? ' …' : '');
    words.push(
      damaged.count === 1
        ? `Line ${numbers} is damaged and left out.`
        : `${formatCount(damaged.count)} lines are damaged and left out: ${numbers}.`,
    );
    if (withoutBlob > 0) words.push(missingStringsText(withoutBlob));
  }
  if (missing > 0) words.push(missing === 1 ? 'One frame is missing.' : `${formatCount(missing)} frames are missing.`);
  if (report.renumberedFrom !== undefined) words.push(renumberedText(report.renumberedFrom));
  if (ended && !complete && damaged.count === 0 && missing === 0) {
    words.push('Its end tells of another number of frames than there are.');
  }
  if (report.forgotten) words.push(forgottenWords(report.forgotten));
  if (unsaved !== undefined) words.push(`Your notes are not in the file. ${inFile ? SAVED_ANEW : unsaved}`);
  if (unknown > 0) {
    words.push(
      unknown === 1
        ? 'One line is of a kind that is not known here.'
        : `${formatCount(unknown)} lines are of kinds that are not known here.`,
    );
  }
  return words;
}

/** Of a file that was opened nobody knows whether it is still written. */
const WITHOUT_END =
  'It has no end: it was still being written when it was opened, or whoever wrote it was ended before.';

const SAVED_ANEW = 'Save recording makes one that has them.';

/** That secrets were taken out, which is as it should be; undefined if none were. */
export function redactionNotice({ policy = '', report }: RecordingFacts): string | undefined {
  if (!report || report.masked === 0) return undefined;
  const places = report.masked === 1 ? 'one place is' : `${formatCount(report.masked)} places are`;
  return `Secrets were taken out${policy.startsWith('share/') ? ' before it was shared' : ' while it was recorded'}: ${places} masked.`;
}

function forgottenWords(forgotten: number): string {
  const them = forgotten === 1 ? 'The oldest of them was' : `The oldest ${formatCount(forgotten)} of them were`;
  return `More than ${formatCount(LIMITS.redactedValues)} different secrets were taken out. ${them} not looked for to the end: look for them before you give it away.`;
}

function partWords({ of, from, to, without, also = 0 }: SelectionFacts): string {
  const left = without.length > 0 ? ` without ${without.join(' and ')}` : '';
  const part = from === 1 && to === of ? 'all' : `${formatCount(from)} to ${formatCount(to)}`;
  const more =
    also > 0
      ? `, and ${also === 1 ? 'one frame' : `${formatCount(also)} frames`} besides that the handshake, lists and exchanges need to be whole`
      : '';
  return `It is a part of a recording of ${formatCount(of)} frames: ${part}${left}, numbered anew${more}.`;
}
