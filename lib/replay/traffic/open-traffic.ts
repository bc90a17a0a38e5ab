import type { HeaderFacts } from '@/lib/recording/read-header';
import { recordingBytes } from '@/lib/recording/recording-bytes';
import type { RecordingReader } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import type { RecordedTraffic } from './recorded-traffic';
import { TrafficReader } from './traffic-reader';

/** A recording, read to its end. */
export interface OpenedTraffic {
  readonly header: HeaderFacts;
  readonly report: RecordingReport;
  readonly traffic: RecordedTraffic;
  /** Why what follows could not be read; the session is what came before. */
  readonly failure?: string;
}

/**
 * Reads a recording's bytes, gzip or not. Rejects with a RecordingError for what is none, and with the system's error if nothing can
 * be read. `reader`: a new one, which does not check what the end vouches for. `through`: what every frame goes through.
 */
export async function openTraffic(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  reader?: RecordingReader,
  through: (frame: Frame) => Frame = (frame) => frame,
): Promise<OpenedTraffic> {
  let held = 0;
  const recorded = new TolerantReader(reader, () => held > LIMITS.recordingBytes);
  const session = new TrafficReader();
  for await (const frames of recorded.portions(recordingBytes(source))) {
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
