import { type OpenedSession, openSession } from '@/lib/session/open-session';
import { openFile } from '../recorder/open-file';

/** A recording in a file as a session. Rejects with a RecordingError for what is none, and with the system's error. */
export async function readSession(path: string): Promise<OpenedSession> {
  return openSession((await openFile(path)).bytes);
}
