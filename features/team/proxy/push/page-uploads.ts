import { outboxFolder } from '@/proxy/files/data-folder';
import { startUploader } from '@/proxy/process/start-uploader';
import { hasUploads, RecordingUploads } from '@/proxy/recorder/recording-uploads';
import type { UploadWords } from '@/proxy/recorder/upload-words';
import { orderFor } from './given-order';

/** Uploads what an earlier run has left, and returns what uploads the recordings of this one. Throws an ExitError. */
export async function startUploads(
  recordings: string,
  words: UploadWords | undefined,
): Promise<RecordingUploads | undefined> {
  const program = process.argv[1] ?? '';
  if (!words) {
    if (hasUploads(outboxFolder(recordings))) startUploader(program);
    return undefined;
  }
  const uploads = new RecordingUploads(recordings, { order: await orderFor(words), program }, startUploader);
  uploads.resume();
  return uploads;
}
