import type { UploadWords } from '@/features/recording-store';
import { outboxFolder } from '@/proxy/files/data-folder';
import { startInBackground } from '@/proxy/process/start-in-background';
import { hasUploads, RecordingUploads } from '@/proxy/recorder/recording-uploads';
import { PUSH } from './upload-settings';

/** Uploads what an earlier run has left, and returns what uploads the recordings of this one. Throws an ExitError. */
export async function startUploads(
  recordings: string,
  words: UploadWords | undefined,
): Promise<RecordingUploads | undefined> {
  const program = process.argv[1] ?? '';
  if (!words) {
    if (hasUploads(outboxFolder(recordings))) startInBackground(program, PUSH);
    return undefined;
  }
  const { orderFor } = await import('./given-order');
  const settings = { order: await orderFor(words), program, words: PUSH };
  const uploads = new RecordingUploads(recordings, settings, startInBackground);
  uploads.resume();
  return uploads;
}
