import type { BucketRequest } from '@/lib/summary/bucket-api';

/** Recordings of buckets, as the page's process opens them. Each method rejects with a Failure. */
interface Buckets {
  run(request: BucketRequest): Promise<unknown>;
  open(url: string, frame: number): Promise<string>;
  close(): Promise<void>;
}

/** The buckets of the page. Their code is loaded when the page or the command line first needs it. */
export class LazyBuckets implements Buckets {
  readonly #load: () => Promise<Buckets>;
  #loading: Promise<Buckets> | undefined;

  constructor(load: () => Promise<Buckets>) {
    this.#load = load;
  }

  async run(request: BucketRequest): Promise<unknown> {
    return (await this.#loaded()).run(request);
  }

  async open(url: string, frame: number): Promise<string> {
    return (await this.#loaded()).open(url, frame);
  }

  async close(): Promise<void> {
    await (await this.#loading?.catch(() => undefined))?.close();
  }

  #loaded(): Promise<Buckets> {
    this.#loading ??= this.#load();
    return this.#loading;
  }
}
