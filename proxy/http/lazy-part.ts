/** A part of the page's server whose code is loaded when the page first asks for it. */
export class LazyPart<Part extends { close(): unknown }> {
  readonly #load: () => Promise<Part>;
  #loading: Promise<Part> | undefined;
  #loaded: Part | undefined;

  constructor(load: () => Promise<Part>) {
    this.#load = load;
  }

  /** The part; undefined until it is loaded. */
  get loaded(): Part | undefined {
    return this.#loaded;
  }

  /** Loads the part. After a failure, the next call tries again. */
  async get(): Promise<Part> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    this.#loaded = await this.#loading;
    return this.#loaded;
  }

  /** Closes the part, also if it is still being loaded. */
  async close(): Promise<void> {
    await (await this.#loading?.catch(() => undefined))?.close();
  }
}
