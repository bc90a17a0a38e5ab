import type { EvalsRequest } from '@/lib/evals/evals-api';
import type { PageEvals } from './page-evals';

/** The evals of the page. Their code is loaded when the page first asks for something. */
export class LazyEvals {
  readonly #load: () => Promise<PageEvals>;
  #loading: Promise<PageEvals> | undefined;
  #loaded: PageEvals | undefined;

  constructor(load: () => Promise<PageEvals>) {
    this.#load = load;
  }

  get isRunning(): boolean {
    return this.#loaded?.isRunning ?? false;
  }

  /** Carries out a request of the page. Rejects with a Failure. */
  async run(request: EvalsRequest): Promise<unknown> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      // The next request tries again.
      this.#loading = undefined;
      throw error;
    });
    this.#loaded = await this.#loading;
    return this.#loaded.run(request);
  }

  async close(): Promise<void> {
    const loaded = await this.#loading?.catch(() => undefined);
    await loaded?.close();
  }
}
