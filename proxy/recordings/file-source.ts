import { recordingBytes } from '@/lib/har/recording-bytes';
import { RecordingReader } from '@/lib/recording/recording-reader';
import type { ShareSource } from '@/lib/sharing/share-source';
import type { Frame } from '@/lib/wire/frame';
import { openFile } from '../recorder/open-file';

/**
 * A recording in a file, read anew each time. Rejects, as going through its frames does, with a RecordingError for what is none,
 * and with the system's error.
 */
export async function fileSource(path: string): Promise<ShareSource> {
  const reader = new RecordingReader();
  for await (const chunk of recordingBytes((await openFile(path)).bytes)) {
    reader.push(chunk);
    if (reader.header) break;
  }
  const { id, at, name, transport } = reader.header ?? emptyFile(reader);
  return { about: { id, at, name, transport }, frames: () => framesOf(path) };
}

async function* framesOf(path: string): AsyncGenerator<Frame> {
  const reader = new RecordingReader();
  for await (const chunk of recordingBytes((await openFile(path)).bytes)) yield* reader.push(chunk);
  reader.end();
}

/** Throws what such a file is refused with. */
function emptyFile(reader: RecordingReader): never {
  reader.end();
  throw new Error('unreachable: a reader without a header refuses to end');
}
