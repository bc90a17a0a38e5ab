import { BlobWindow } from '@/lib/recording/blob-window';
import { decodeLine } from '@/lib/recording/decode-line';
import { LineCutter } from '@/lib/recording/line-cutter';
import type { Blob } from '@/lib/recording/put-back';
import type { RandomAccess } from '@/lib/recording/random-access';
import { LIMITS } from '@/lib/wire/limits';

/** A blob with the name that it has in the file. */
export type NamedBlob = Blob & { readonly name: string };

/** Bytes read at first, which is all of a short one, and then at a time. */
const FIRST_BYTES = 16 * 1024;
const MORE_BYTES = 256 * 1024;

/** The blobs of a recording's file, by where their lines begin. Those read last stay: messages refer to the same ones again and again. */
export class FileBlobs {
  readonly #file: RandomAccess;
  readonly #kept = new BlobWindow<NamedBlob>();

  constructor(file: RandomAccess) {
    this.#file = file;
  }

  /** The blob whose line begins there, in a recording of this version; undefined if there is none. */
  async at(place: number, version: number): Promise<NamedBlob | undefined> {
    const kept = this.#kept.get(String(place));
    if (kept) return kept;
    const line = await this.#lineAt(place);
    const blob = line && decodeLine(line, version);
    if (blob?.is !== 'blob') return undefined;
    this.#kept.add(String(place), blob.bytes.length, blob);
    return blob;
  }

  async #lineAt(place: number): Promise<Uint8Array | undefined> {
    const { size } = this.#file;
    const cutter = new LineCutter(LIMITS.recordedLineBytes);
    for (let at = place, end = at + FIRST_BYTES; at < size; at = end, end += MORE_BYTES) {
      for (const line of cutter.push(await this.#file.read(at, Math.min(size, end)))) return line;
      if (cutter.rest >= LIMITS.recordedLineBytes) return undefined;
    }
    return undefined;
  }
}
