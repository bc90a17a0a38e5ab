import { makeOrder } from '@/features/team/proxy/bucket/upload-order';
import type { UploadSettings } from '@/proxy/recorder/recording-uploads';
import type { UploadWords } from '@/proxy/recorder/upload-words';

/** Makes the settings for the uploads of a tap. Rejects with a StoreError for options that can’t be used. */
export async function uploadSettings(words: UploadWords): Promise<UploadSettings> {
  return { order: await makeOrder(words, process.env, process.cwd()), program: process.argv[1] ?? '' };
}
