import { Suspense, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote, Sentence } from '@/components/ui/notices';
import { WorkProgress } from '@/components/ui/progress';
import { visibleText } from '@/components/ui/visible-text';
import { saveFile } from '@/components/untrusted/download';
import { PAGE_FEATURES } from '@/features/page-features';
import { useLogState } from '@/lib/hooks/log';
import {
  CHANGED_TEXT,
  earlyText,
  forgottenText,
  incompleteSourceText,
  missingStringsText,
  renumberedText,
  unlookedText,
} from '@/lib/recording/labels';
import { isNote } from '@/lib/recording/lifecycle-event';
import type { Log } from '@/lib/store/log';
import { countOf, formatCount, formatDate, progressText } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import type { RecordingFacts, SelectionFacts, TapFacts } from '@/lib/wire/recording-facts';
import type { ConnectionActions } from './connection-commands';

const ReadOn = PAGE_FEATURES.map((feature) => feature.ReadOn).find(Boolean);

/** Shown above a recording: its name and origin, and what is missing or damaged in it. */
export function RecordingBanner({
  connection,
  log,
  recording,
  held,
  actions,
}: {
  /** Its id. */
  readonly connection: string;
  readonly log: Log;
  readonly recording: RecordingFacts;
  /** Set in a shared file, which can be saved as a plain recording. */
  readonly held: HeldRecording | undefined;
  readonly actions: ConnectionActions;
}) {
  const start = useLogState(log, (state) => state.connection.start);
  const about = useLogState(log, ({ notes }) => notes.about);
  const onClose = held ? undefined : () => actions.remove([connection]);
  const words = recordingNotices(recording, held !== undefined);
  const facts = [
    start && formatDate(start.at),
    recording.by !== '' && `by ${visibleText(recording.by)}`,
    recording.imported && 'converted from another format',
    redactionNotice(recording),
    recording.from !== undefined &&
      `${recording.inParts ? 'read in parts' : 'fetched'} from ${visibleText(recording.from)}`,
  ];
  return (
    <section
      aria-label="About this recording"
      className={`flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1 ${words.length > 0 ? 'bg-warn/10' : 'bg-accent/8'}`}
    >
      <p className="min-w-0 flex-1 basis-96 break-words">
        <span className="font-medium">
          {recording.tap
            ? tappedText(recording.tap)
            : onClose
              ? 'Recording, read-only.'
              : 'This file holds a recording and its viewer. It sends nothing.'}
        </span>{' '}
        <span className="text-muted">
          {about.name !== '' && (
            <>
              <bdi className="font-medium text-text">{visibleText(about.name)}</bdi>
              {' · '}
            </>
          )}
          {!recording.tap?.live && (
            <>
              <bdi>{visibleText(recording.file)}</bdi>
              {facts.filter(Boolean).map((fact) => ` · ${fact}`)}
            </>
          )}
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
            <Sentence text={sentence} />
          </span>
        ))}
      </p>
      {held && <SaveRecording held={held} log={log} last={recording.report?.last} />}
      {recording.reading && (
        <div className="flex basis-96">
          <WorkProgress
            what="Reading"
            {...recording.reading}
            figures={progressText(recording.reading)}
            onCancel={onClose}
          />
        </div>
      )}
      {ReadOn && recording.waiting && (
        <Suspense>
          <ReadOn connection={connection} waiting={recording.waiting} rows={log.size} />
        </Suspense>
      )}
      {onClose && !recording.reading && (
        <span className="flex flex-wrap gap-x-2 gap-y-1">
          {start && (
            <Button size="small" onClick={actions.edit}>
              Connect to this server…
            </Button>
          )}
          {!recording.tap?.live && (
            <Button size="small" variant="ghost" onClick={onClose}>
              Close recording
            </Button>
          )}
        </span>
      )}
    </section>
  );
}

/** Names the client that drives a tapped session. */
function tappedText({ host, live }: TapFacts): string {
  const who = host === undefined ? 'a host' : visibleText(host);
  return live
    ? `Live session of ${who}, which sends the requests. You can intercept and change messages.`
    : `Recorded session by ${who}.`;
}

/** The recording inside a shared HTML file. */
export interface HeldRecording {
  /** `NAME.mcpr.gz`. */
  readonly name: string;
  /** Returns the recording as a plain file with these notes appended. Rejects with a Failure. */
  saved(notes: readonly Frame[]): Promise<Blob>;
}

/** Saves the recording of a shared file as a plain file, with the notes that were added here. */
function SaveRecording({
  held,
  log,
  last,
}: {
  readonly held: HeldRecording;
  readonly log: Log;
  /** seq of the recording's last frame; undefined while it is being read. */
  readonly last: number | undefined;
}) {
  const [failure, setFailure] = useState<Failure>();
  const save = async () => {
    try {
      const saved = await held.saved(last === undefined ? [] : notesBehind(log, last));
      saveFile(saved, held.name.replace(/\.gz$/, '.jsonl'));
      setFailure(undefined);
    } catch (error) {
      const failed = { code: 'internal', message: `Could not save the recording: ${error}.`, advice: 'Try again.' };
      setFailure(isFailure(error) ? error : failed);
    }
  };
  return (
    <>
      <Button size="small" onClick={() => void save()} title="Save a file that mcp-inspect can open, with your notes">
        Save recording
      </Button>
      {failure && <ErrorNote codeless failure={failure} />}
    </>
  );
}

/** Returns the notes that were added after the recording's last frame. */
function notesBehind(log: Log, last: number): readonly Frame[] {
  const notes: Frame[] = [];
  for (let index = last; index < log.size; index++) {
    const frame = log.frame(index);
    if (isNote(frame)) notes.push(frame);
  }
  return notes;
}

/** Returns a sentence for each thing that is missing, damaged or unusual. `inFile`: the page is a shared file. */
export function recordingNotices(
  { report, failure, unsaved, selection, lacks, checking, indexIgnored, inParts, unfetched, tap }: RecordingFacts,
  inFile = false,
): readonly string[] {
  const words: string[] = selection ? [partText(selection)] : [];
  if (lacks) words.push(incompleteSourceText(lacks));
  if (failure !== undefined) words.push(failure);
  if (indexIgnored) words.push('The recording’s index does not match its lines, so it was read line by line.');
  if (unfetched !== undefined) words.push(unfetched);
  if (inParts && unsaved !== undefined) words.push(`Your notes are not in the file. ${unsaved}`);
  if (!report) return checking ? [...words, 'Checking the recording against its index…'] : words;
  const { ended, complete, torn, damaged, withoutBlob, missing, unknown, changed } = report;
  if (changed) words.push(CHANGED_TEXT);
  if (tap?.unrecorded) words.push(UNRECORDED);
  else if (!ended) words.push(torn ? 'The recording is incomplete: its last line is cut off.' : WITHOUT_END);
  if (damaged.count > 0) {
    const numbers = damaged.lines.join(', ') + (damaged.count > damaged.lines.length ? ' …' : '');
    words.push(
      damaged.count === 1
        ? `Line ${numbers} is damaged and was skipped.`
        : `${formatCount(damaged.count)} lines are damaged and were skipped: ${numbers}.`,
    );
    if (withoutBlob > 0) words.push(missingStringsText(withoutBlob));
  }
  if (missing > 0) words.push(missing === 1 ? '1 frame is missing.' : `${formatCount(missing)} frames are missing.`);
  if (report.renumberedFrom !== undefined) words.push(renumberedText(report.renumberedFrom));
  if (ended && !complete && damaged.count === 0 && missing === 0) {
    words.push('The end line declares a different number of frames.');
  }
  if (report.forgotten) words.push(forgottenText(report.forgotten));
  if (report.early) words.push(earlyText(report.early.length));
  if (report.unlooked) words.push(unlookedText(report.unlooked));
  if (unsaved !== undefined)
    words.push(
      `Your notes are not in the file. ${inFile ? 'Press Save recording to get a file that has them.' : unsaved}`,
    );
  if (unknown > 0) {
    words.push(unknown === 1 ? '1 line has an unknown kind.' : `${formatCount(unknown)} lines have unknown kinds.`);
  }
  return words;
}

const UNRECORDED =
  'The tap has stopped recording, and the session goes on: what passes now is in no recording. The stderr of the tap, usually in the host’s log, says why.';
const WITHOUT_END = 'The end line is missing: the recording was still being written, or its writer was stopped.';

/** Returns how many places are masked, and since when; undefined if none are. */
export function redactionNotice({ policy = '', report }: RecordingFacts): string | undefined {
  if (!report || report.masked === 0) return undefined;
  const places = countOf(report.masked, 'place');
  return `secrets masked in ${places} ${policy.startsWith('share/') ? 'before sharing' : 'while recording'}`;
}

function partText({ of, from, to, without, also = 0 }: SelectionFacts): string {
  const left = without.length > 0 ? ` without ${without.join(' and ')}` : '';
  const part = from === 1 && to === of ? 'all frames' : `frames ${formatCount(from)} to ${formatCount(to)}`;
  const more =
    also === 0
      ? ''
      : ` ${also === 1 ? '1 other frame was' : `${formatCount(also)} other frames were`} kept to complete the handshake, lists and exchanges.`;
  return `This is part of a recording of ${formatCount(of)} frames: ${part}${left}, renumbered.${more}`;
}
