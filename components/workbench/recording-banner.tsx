import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import type { RecordingFacts } from '@/lib/wire/recording-facts';
import { recordingWords, redactionWords } from './recording-words';
import { type HeldRecording, SaveRecording } from './save-recording';

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
  const words = recordingWords(recording, held !== undefined);
  const when = start && new Date(start.at);
  const facts = [
    when && !Number.isNaN(when.getTime()) && when.toLocaleString(),
    recording.by !== '' && `by ${visibleText(recording.by)}`,
    recording.imported && 'made from a file of another kind',
    redactionWords(recording),
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
