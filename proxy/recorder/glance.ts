import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { LIMITS } from '@/lib/wire/limits';

/** What can be seen of a file at a glance. */
interface Glance {
  /** Its first bytes, unpacked; all of them if it is short. */
  readonly head: Uint8Array;
  /** Its last bytes; absent if only unpacking all of it would tell. */
  readonly tail?: Uint8Array;
}

/** Looks at both ends of a file of ours, or at the beginning of what a gzipped one unpacks to. Rejects with the system's error. */
export async function glanceAt(path: string): Promise<Glance> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = await file.stat();
    const part = async (from: number) => {
      const bytes = Buffer.alloc(Math.min(LIMITS.recordingGlanceBytes, size - from));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return bytes.subarray(0, bytesRead);
    };
    const head = await part(0);
    if (head[0] !== 0x1f || head[1] !== 0x8b) {
      return { head, tail: await part(Math.max(0, size - LIMITS.recordingGlanceBytes)) };
    }
    // Cut off anywhere, it is unpacked as far as it goes.
    const limits = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: LIMITS.recordingGlanceUnpacked };
    const unpacked = gunzipSync(head, limits);
    return { head: unpacked, ...(size <= LIMITS.recordingGlanceBytes && { tail: unpacked }) };
  } finally {
    await file.close();
  }
}
