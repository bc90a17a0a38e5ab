import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { saveFile } from '@/components/untrusted/save-file';
import { isNote } from '@/lib/recording/lifecycle-event';
import type { Log } from '@/lib/store/log';
import type { Frame } from '@/lib/wire/frame';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';

/**
 * Saves the recording that stands in this page, `NAME.mcpr.gz`, as a plain file, with the notes that were made here: what left once may
 * leave again.
 */
export function SaveRecording({
  file,
  log,
  last,
}: {
  readonly file: File;
  readonly log: Log;
  /** seq of the file's last frame; undefined while it is still being read. */
  readonly last: number | undefined;
}) {
  const [failure, setFailure] = useState<Failure>();
  const save = async () => {
    const plain = file.stream().pipeThrough(new DecompressionStream('gzip'));
    const { withNotes } = await import('@/lib/recording/with-notes');
    try {
      const saved = await withNotes(plain, last === undefined ? [] : notesBehind(log, last));
      saveFile(saved, file.name.replace(/\.gz$/, '.jsonl'));
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
