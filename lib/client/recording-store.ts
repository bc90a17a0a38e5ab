import type { RecordingAbout, RecordingsReply, RetentionReply, RetentionSettings } from '@/lib/wire/api';
import type { KeptRecordingsRequest } from '@/lib/wire/worker-message';
import type { Api } from './api';
import type { DirectLink } from './direct-link';

/** Where recordings are kept, and what can be done with them there. All reject with a Failure. */
export interface RecordingStore {
  /** The newest `most`, or all there are. */
  list(most: number, signal?: AbortSignal): Promise<RecordingsReply>;
  /** Makes it a connection, and resolves to that. */
  open(id: string): Promise<string>;
  read(id: string): Promise<Blob>;
  remove(id: string): Promise<void>;
  describe(id: string, about: RecordingAbout): Promise<void>;
  /** Keeps a copy of a file. Absent where only what the page recorded is kept. */
  add?(file: Blob): Promise<unknown>;
  /** Keeps so much; unless `anyway`, it only says what would be deleted for that. Absent where nobody chooses that. */
  keep?(kept: RetentionSettings, anyway: boolean): Promise<RetentionReply>;
  /** Somebody saw what was deleted by age and size. Absent where nothing is told of that. */
  seen?(): Promise<void>;
  /** Whether it records what is connected from now on, where a person decides that on the page. */
  readonly recordSwitch?: RecordSwitch;
}

/** The folder of the proxy. */
export function proxyRecordings(api: Api): RecordingStore {
  return {
    list: (most, signal) => api.recordings(most, signal),
    open: async (id) => (await api.openRecording(id)).connection,
    read: (id) => api.readRecording(id),
    remove: (id) => api.deleteRecording(id),
    describe: (id, about) => api.describeRecording(id, about),
    add: (file) => api.importRecording(file),
    keep: (kept, anyway) => api.keepRecordings(kept, anyway),
    seen: () => api.sawDeleted(),
  };
}

/** The browser, where there is no proxy. `ref` makes a new mark of a request. */
export function browserRecordings(direct: DirectLink, recordSwitch: RecordSwitch, ref: () => string): RecordingStore {
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

/** Whether the browser is to keep recordings: it is, until a person says no. Kept in this browser, if it keeps anything. */
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
      // It lasts until the reload.
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
