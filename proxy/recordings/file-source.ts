import { recordingBytes } from '@/lib/har/recording-bytes';
import { recordingLacks } from '@/lib/recording/recording-lacks';
import { RecordingReader } from '@/lib/recording/recording-reader';
import type { ShareSource } from '@/lib/sharing/share-source';
import type { Frame } from '@/lib/wire/frame';
import type { RecordingReport } from '@/lib/wire/recording-facts';
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
  const { id, at, name, transport, lacks: before } = reader.header ?? emptyFile(reader);
  let report: RecordingReport | undefined;
  return {
    get about() {
      const lacks = recordingLacks(report, before);
      return { id, at, name, transport, ...(lacks && { lacks }) };
    },
    async *frames() {
      report = yield* framesOf(path);
    },
  };
}

async function* framesOf(path: string): AsyncGenerator<Frame, RecordingReport> {
  const reader = new RecordingReader();
  for await (const chunk of recordingBytes((await openFile(path)).bytes)) yield* reader.push(chunk);
  return reader.end();
}

/** Throws what such a file is refused with. */
function emptyFile(reader: RecordingReader): never {
  reader.end();
  throw new Error('unreachable: a reader without a header refuses to end');
}
