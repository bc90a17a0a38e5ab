const KEY = 'mcp-inspect.record';

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
      this.#storage().setItem(KEY, on ? 'on' : 'off');
    } catch {
      // It lasts until the reload.
    }
  }

  #read(): string | null {
    try {
      return this.#storage().getItem(KEY);
    } catch {
      return null;
    }
  }
}
