import type { HeaderFacts } from '@/lib/recording/read-header';
import { recordingBytes } from '@/lib/recording/recording-bytes';
import type { RecordingReader } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import type { RecordedTraffic } from './recorded-traffic';
import { TrafficReader } from './traffic-reader';

/** The traffic of a whole recording. */
export interface OpenedTraffic {
  readonly header: HeaderFacts;
  readonly report: RecordingReport;
  readonly traffic: RecordedTraffic;
  /** Why the rest of the file could not be read. `traffic` has everything before that. */
  readonly failure?: string;
}

/**
 * Reads a recording, gzipped or not. Rejects with a RecordingError if it is not a recording, and with the system’s
 * error if it can’t be read. `reader`: a new reader without checksum. `through`: maps every frame. `onRead` gets the
 * bytes of the source that are read.
 */
export async function openTraffic(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  reader?: RecordingReader,
  through: (frame: Frame) => Frame = (frame) => frame,
  onRead?: (bytes: number) => void,
): Promise<OpenedTraffic> {
  let held = 0;
  const recorded = new TolerantReader(reader, () => held > LIMITS.recordingBytes);
  const session = new TrafficReader();
  for await (const frames of recorded.portions(recordingBytes(source, { onRead }))) {
    for (const frame of frames) {
      held += frame.bytes.length;
      session.addFrame(through(frame));
    }
  }
  const { failure } = recorded;
  return {
    header: recorded.reader.header!,
    report: recorded.report!,
    traffic: session.traffic(),
    ...(failure !== undefined && { failure }),
  };
}
