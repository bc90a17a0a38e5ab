import type { RecordingAbout, RecordingsReply, RetentionReply, RetentionSettings } from '@/lib/wire/api';
import type { KeptRecordingsRequest } from '@/lib/wire/worker-message';
import type { Api, ReadFileOptions } from './api';
import type { DirectLink } from './direct-link';
import { FileImport } from './file-import';

/** The place where recordings are kept. All methods reject with a Failure. */
export interface RecordingsPlace {
  /** Lists the newest `most`. The browser lists all. */
  list(most: number, signal?: AbortSignal): Promise<RecordingsReply>;
  /** Opens a recording and returns its connection's id. */
  open(id: string): Promise<string>;
  read(id: string, options?: ReadFileOptions): Promise<Blob>;
  remove(id: string): Promise<void>;
  describe(id: string, about: RecordingAbout): Promise<void>;
  /** Adds copies of files. Absent where files can't be added. */
  readonly imports?: FileImport;
  /**
   * Sets the limits (days and bytes) for kept recordings. If that would delete recordings, changes nothing and returns
   * those recordings, unless `anyway`. Absent where the limits can't be set.
   */
  keep?(kept: RetentionSettings, anyway: boolean): Promise<RetentionReply>;
  /**
   * Confirms that a person saw which recordings were deleted automatically. Absent where the page does not show this.
   */
  seen?(): Promise<void>;
  /** Turns recording on or off. Absent where the page has no such switch. */
  readonly recordSwitch?: RecordSwitch;
}

/** Recordings in the proxy's folder. */
export function proxyRecordings(api: Api): RecordingsPlace {
  return {
    list: (most, signal) => api.recordings(most, signal),
    open: async (id) => (await api.openRecording(id)).connection,
    read: (id, options) => api.readRecording(id, options),
    remove: (id) => api.deleteRecording(id),
    describe: (id, about) => api.describeRecording(id, about),
    imports: new FileImport((file, options) => api.importRecording(file, options)),
    keep: (kept, anyway) => api.keepRecordings(kept, anyway),
    seen: () => api.sawDeleted(),
  };
}

/** Recordings in the browser, for pages without a proxy. `ref` returns a new id for a request. */
export function browserRecordings(direct: DirectLink, recordSwitch: RecordSwitch, ref: () => string): RecordingsPlace {
  const ask = (request: KeptRecordingsRequest) => direct.askRecordings(ref(), request);
  return {
    list: async () => (await ask({ want: 'list' })).given as RecordingsReply,
    open: async (id) => (await ask({ want: 'open', id })).connection,
    read: async (id) => (await ask({ want: 'file', id })).given as Blob,
    remove: async (id) => void (await ask({ want: 'delete', id })),
    describe: async (id, about) => void (await ask({ want: 'describe', id, about })),
    recordSwitch,
  };
}

const RECORD_KEY = 'mcp-inspect.record';

/** The setting whether the browser records. It is on until a person turns it off, and is kept in this browser. */
export class RecordSwitch {
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem'>;
  #on: boolean | undefined;

  /** `storage` may throw. */
  constructor(storage: () => Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
  }

  get on(): boolean {
    this.#on ??= this.#read() !== 'off';
    return this.#on;
  }

  set on(on: boolean) {
    this.#on = on;
    try {
      this.#storage().setItem(RECORD_KEY, on ? 'on' : 'off');
    } catch {
      // Without storage, the setting lasts until the reload.
    }
  }

  #read(): string | null {
    try {
      return this.#storage().getItem(RECORD_KEY);
    } catch {
      return null;
    }
  }
}
