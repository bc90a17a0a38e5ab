import { RecordedFrames } from '@/lib/reading/recorded-frames';
import { recordingBytes } from '@/lib/reading/recording-bytes';
import { recordingLacks } from '@/lib/recording/recording-lacks';
import { RecordingReader } from '@/lib/recording/recording-reader';
import type { ShareSource } from '@/lib/sharing/share-source';
import type { Frame } from '@/lib/wire/frame';
import { damageNotes } from '../recorder/damage-notes';
import { type OpenedFile, openFile } from '../recorder/open-file';
import { runningSha256 } from '../recorder/sha256';

/** A file whose frames are shared. */
export interface FileSource extends ShareSource {
  /** What of it can't be read or is not there, in sentences, once all frames were gone through. */
  readonly notes: readonly string[];
}

/**
 * A recording in a file, as long as it is now, read anew each time. Rejects, as going through its frames does, with a RecordingError
 * for what is none or another file since, and with the system's error. `onRead` is told again and again how much of it was gone through, 0 to 1.
 */
export async function fileSource(path: string, onRead: (share: number) => void = () => {}): Promise<FileSource> {
  const file = await openFile(path);
  const { header } = await headOf(file);
  const { id, at, mode, name, transport, lacks: before } = header!;
  let recorded: RecordedFrames | undefined;
  return {
    get about() {
      const lacks = recordingLacks(recorded?.report, before);
      const forgotten = recorded?.report?.forgotten;
      return { id, at, mode, name, transport, ...(lacks && { lacks }), ...(forgotten && { forgotten }) };
    },
    get notes() {
      const { report, failure } = recorded ?? {};
      return report ? damageNotes({ header: header!, report, ...(failure !== undefined && { failure }) }) : [];
    },
    async *frames() {
      recorded = new RecordedFrames(new RecordingReader(runningSha256()));
      const opened = await openFile(path, file);
      yield* framesOf(recorded, { ...opened, bytes: opened.bytes.pipeThrough(counted(opened.length, onRead)) });
    },
  };
}

async function* framesOf(recorded: RecordedFrames, { bytes }: OpenedFile): AsyncGenerator<Frame> {
  for await (const frames of recorded.portions(recordingBytes(bytes))) yield* frames;
}

function counted(length: number, onRead: (share: number) => void): TransformStream<Bytes, Bytes> {
  let read = 0;
  return new TransformStream({
    transform(chunk, controller) {
      read += chunk.length;
      onRead(read / Math.max(1, length));
      controller.enqueue(chunk);
    },
  });
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads as far as there is a header. */
async function headOf({ bytes }: OpenedFile): Promise<RecordingReader> {
  const recorded = new RecordedFrames();
  for await (const _ of recorded.portions(recordingBytes(bytes))) if (recorded.reader.header) break;
  return recorded.reader;
}
