import type { Failure } from '@/lib/wire/lifecycle';
import type { ReadingProgress } from '@/lib/wire/recording-facts';

/** How a file is added to the recordings. */
export interface AddOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes that were sent. */
  readonly onSent: (bytes: number) => void;
  /** Called with the progress of converting an HTTP Archive, after it was sent. */
  readonly onConverted: (progress: ReadingProgress) => void;
}

/** The file at work. */
interface CurrentFile {
  readonly file: File;
  /** Counts from 1. */
  readonly number: number;
  readonly of: number;
  /** Bytes. */
  readonly sent: number;
  /** Absent until an HTTP Archive is converted. */
  readonly converted?: ReadingProgress;
}

/** An import of files, as far as it is. */
export interface ImportState {
  /** undefined if no file is at work. */
  readonly current: CurrentFile | undefined;
  readonly kept: number;
  readonly failed: readonly { readonly file: string; readonly failure: Failure }[];
  /** Files that were not imported because the user cancelled. */
  readonly cancelled: number;
}

const NOTHING: ImportState = { current: undefined, kept: 0, failed: [], cancelled: 0 };

/** Imports files one after the other. A failed one does not stop the others. */
export class FileImport {
  readonly #add: (file: File, options: AddOptions) => Promise<unknown>;
  readonly #listeners = new Set<() => void>();
  #files: File[] = [];
  #state = NOTHING;
  #stop = new AbortController();

  /** `add` rejects with a Failure. After an abort it leaves nothing behind. */
  constructor(add: (file: File, options: AddOptions) => Promise<unknown>) {
    this.#add = add;
  }

  get state(): ImportState {
    return this.#state;
  }

  /** Calls back when the state has changed. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Imports these files, after those that are still to come. */
  async start(files: readonly File[]): Promise<void> {
    const { current: atWork } = this.#state;
    if (atWork) {
      this.#files.push(...files);
      this.#set({ current: { ...atWork, of: this.#files.length } });
      return;
    }
    this.#files = [...files];
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#set(NOTHING);
    for (let at = 0; at < this.#files.length && !signal.aborted; at++) {
      const file = this.#files[at]!;
      const tell = (facts: Pick<CurrentFile, 'sent' | 'converted'>) => {
        if (!signal.aborted) this.#set({ current: { file, number: at + 1, of: this.#files.length, ...facts } });
      };
      tell({ sent: 0 });
      try {
        await this.#add(file, {
          signal,
          onSent: (sent) => tell({ sent }),
          onConverted: (converted) => tell({ sent: file.size, converted }),
        });
        if (!signal.aborted) this.#set({ kept: this.#state.kept + 1 });
      } catch (error) {
        if (!signal.aborted)
          this.#set({ failed: [...this.#state.failed, { file: file.name, failure: error as Failure }] });
      }
    }
    // After an abort, the next import may have begun.
    if (!signal.aborted) this.#set({ current: undefined });
  }

  /** Stops the file at work and drops the others. Files that were imported before stay. */
  cancel(): void {
    const { current } = this.#state;
    if (!current) return;
    this.#stop.abort();
    this.#set({ current: undefined, cancelled: current.of - current.number + 1 });
  }

  /** Forgets the result of a finished import. */
  clear(): void {
    if (!this.#state.current) this.#set(NOTHING);
  }

  #set(change: Partial<ImportState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}
