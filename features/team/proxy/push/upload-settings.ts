import type { UploadWords } from '@/features/recording-store';
import type { UploadSettings } from '@/proxy/recorder/recording-uploads';

/** Uploads what waits in the outbox. */
export const PUSH = ['recordings', 'push', '--quiet'];

/** Makes the settings for the uploads of a tap. Rejects with a StoreError for options that can’t be used. */
export async function uploadSettings(words: UploadWords): Promise<UploadSettings> {
  const { makeOrder } = await import('../bucket/upload-order');
  return { order: await makeOrder(words, process.env, process.cwd()), program: process.argv[1] ?? '', words: PUSH };
}
