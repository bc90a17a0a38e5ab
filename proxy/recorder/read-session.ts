import { RecordingReader } from '@/lib/recording/recording-reader';
import { type OpenedSession, openSession } from '@/lib/session/open-session';
import type { Frame } from '@/lib/wire/frame';
import { openFile } from './open-file';
import { runningSha256 } from './sha256';

/**
 * A recording in a file as a session. Rejects with a RecordingError for what is none, and with the system's error. `through`: what
 * every frame goes through.
 */
export async function readSession(path: string, through?: (frame: Frame) => Frame): Promise<OpenedSession> {
  return openSession((await openFile(path)).bytes, new RecordingReader(runningSha256()), through);
}
