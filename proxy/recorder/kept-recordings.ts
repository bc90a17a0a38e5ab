import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConnectionError } from '@/lib/transports/transport';
import type { RecordingsReply } from '@/lib/wire/api';
import { isAlive, readFileName } from './file-names';
import { isRecordingName, listRecordings } from './list-recordings';
import { type OpenedFile, openFile } from './open-file';

/** The folder of recordings, as the page may use it: by names that it was told, and nothing else. */
export class KeptRecordings {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  list(): Promise<RecordingsReply> {
    return listRecordings(this.#folder);
  }

  /** Rejects with a ConnectionError `no-recording`. */
  async open(id: string): Promise<OpenedFile> {
    return openFile(await this.#path(id));
  }

  /** Rejects with a ConnectionError: `no-recording`, or `still-recorded` while its connection lives. */
  async delete(id: string): Promise<void> {
    const path = await this.#path(id);
    const pid = readFileName(id)?.pid;
    if (pid !== undefined && isAlive(pid)) throw new ConnectionError(STILL_RECORDED);
    await rm(path);
  }

  async #path(id: string): Promise<string> {
    const path = isRecordingName(id) ? join(this.#folder, id) : undefined;
    const facts = path === undefined ? undefined : await lstat(path).catch(() => undefined);
    if (path !== undefined && facts?.isFile()) return path;
    throw new ConnectionError(NO_RECORDING);
  }
}

const NO_RECORDING = {
  code: 'no-recording',
  message: 'This recording is not there any more.',
  advice: 'Open the list again to see what there is.',
};

const STILL_RECORDED = {
  code: 'still-recorded',
  message: 'The mcp-inspect that records it still runs.',
  advice: 'End that first, then delete it.',
};
