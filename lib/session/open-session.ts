import { RecordedFrames } from '@/lib/reading/recorded-frames';
import { recordingBytes } from '@/lib/reading/recording-bytes';
import type { HeaderFacts } from '@/lib/recording/read-header';
import type { RecordingReader } from '@/lib/recording/recording-reader';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import type { RecordedSession } from './recorded-session';
import { SessionReader } from './session-reader';

/** A recording, read to its end. */
export interface OpenedSession {
  readonly header: HeaderFacts;
  readonly report: RecordingReport;
  readonly session: RecordedSession;
  /** Why what follows could not be read; the session is what came before. */
  readonly failure?: string;
}

/**
 * Reads a recording's bytes, gzip or not. Rejects with a RecordingError for what is none, and with the system's error if nothing can
 * be read. `reader`: a new one, which does not check what the end vouches for. `through`: what every frame goes through.
 */
export async function openSession(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  reader?: RecordingReader,
  through: (frame: Frame) => Frame = (frame) => frame,
): Promise<OpenedSession> {
  let held = 0;
  const recorded = new RecordedFrames(reader, () => held > LIMITS.recordingBytes);
  const session = new SessionReader();
  for await (const frames of recorded.portions(recordingBytes(source))) {
    for (const frame of frames) {
      held += frame.bytes.length;
      session.push(through(frame));
    }
  }
  const { failure } = recorded;
  return {
    header: recorded.reader.header!,
    report: recorded.report!,
    session: session.end(),
    ...(failure !== undefined && { failure }),
  };
}
