import { basename, join } from 'node:path';
import type { StoreAccess, StoreReader } from '@/features/recording-store';
import type { ReadRecording } from '@/proxy/commands/shared/recording-file';
import { writeNewFile } from '@/proxy/files/private-files';
import { folderUntilExit } from '@/proxy/files/temporary-folder';
import { openStore } from './bucket/open-store';
import { namesFile, namesRecording, readFileUrl } from './bucket/recording-url';
import { download } from './bucket/remote-recording';
import { readBucketOptions } from './bucket-options';
import { bucketRecordings } from './query/bucket-recordings';

/** Reads `s3://` addresses. */
export const bucketReader: StoreReader = { namesFile, namesRecording, recordingsAt };

async function recordingsAt(
  url: string,
  { version, given, env, signal }: StoreAccess,
): Promise<readonly ReadRecording[]> {
  const options = { version, env, ...(given && readBucketOptions(given)) };
  if (!namesFile(url)) {
    const { store } = await openStore(url, options);
    return bucketRecordings(url, store, signal);
  }
  const { place, find } = readFileUrl(url);
  const { store, address } = await openStore(place, options);
  try {
    const key = await find(store, signal);
    const path = join(await folderUntilExit(), basename(key));
    await writeNewFile(path, download(store, { address, key }, { signal }));
    return [{ path, shown: url, isNamed: true }];
  } finally {
    store.close();
  }
}
