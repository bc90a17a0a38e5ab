import { recordingBytes } from '@/lib/har/recording-bytes';
import type { HeaderFacts } from '@/lib/recording/read-header';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { isFailure } from '@/lib/wire/lifecycle';
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

/** Reads a recording's bytes, gzip or not. Rejects with a RecordingError for what is none, and with the system's error if nothing can be read. */
export async function openSession(source: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<OpenedSession> {
  const lines = new RecordingReader();
  const reader = new SessionReader();
  let frames = 0;
  let failure: string | undefined;
  try {
    for await (const chunk of recordingBytes(source)) {
      for (const frame of lines.push(chunk)) {
        frames++;
        reader.push(frame);
      }
    }
  } catch (error) {
    if (frames === 0) throw error;
    failure = isFailure(error) ? error.message : `The file can not be read any further: ${error}.`;
  }
  const report = lines.end();
  return { header: lines.header!, report, session: reader.end(), ...(failure !== undefined && { failure }) };
}
