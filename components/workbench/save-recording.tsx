import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { saveFile } from '@/components/untrusted/save-file';
import { isNote } from '@/lib/recording/lifecycle-event';
import type { Log } from '@/lib/store/log';
import type { Frame } from '@/lib/wire/frame';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';

/** The recording that stands in the page itself. */
export interface HeldRecording {
  /** `NAME.mcpr.gz`. */
  readonly name: string;
  /** It as a plain file, with these notes behind its end. Rejects with a Failure. */
  saved(notes: readonly Frame[]): Promise<Blob>;
}

/** Saves the recording that stands in this page as a plain file, with the notes that were made here: what left once may leave again. */
export function SaveRecording({
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
