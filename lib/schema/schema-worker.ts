import type { Path } from '@/lib/json/edit';
import { LIMITS } from '@/lib/wire/limits';

/** What the page asks the worker for. A schema is sent once, before the jobs that use it. */
export type CheckJob =
  | { readonly type: 'schema'; readonly text: string }
  | { readonly type: 'check'; readonly text: string; readonly branches: BranchPlaces }
  | { readonly type: 'sample'; readonly all: boolean };

/** For each union shown in the form, by its path as JSON text: the branch that is picked, as it stands in the schema (`anyOf/1`). */
export type BranchPlaces = ReadonlyMap<string, string>;

/** Something wrong with a document. */
export interface SchemaFinding {
  readonly path: Path;
  readonly text: string;
  /** A required property that is not there: the path is where it would be. */
  readonly missing: boolean;
  /** The keyword of the schema that wants it otherwise; `false` for what may not be there at all. */
  readonly keyword: string;
}

/** What checking came to; `unchecked` is why the schema could not be checked, if it could not. */
export interface CheckResult {
  readonly findings: readonly SchemaFinding[];
  readonly unchecked?: string;
}

/** The worker's answers, in the order of the jobs; it says `ready` first. */
export type CheckAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'verdict'; readonly verdict: CheckResult }
  | { readonly type: 'sample'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string };

/** What is used of a Worker. */
export type WorkerLike = Pick<Worker, 'onmessage' | 'onerror' | 'terminate'> & { postMessage(job: CheckJob): void };

interface Waiting {
  readonly job: Exclude<CheckJob, { type: 'schema' }>;
  readonly resolve: (answer: CheckAnswer) => void;
}

const TOO_LONG = `it took longer than ${LIMITS.schemaWorkMs} ms, most likely in a pattern`;

/**
 * Checks and samples of one schema, in a Worker that is ended when a job takes longer than `LIMITS.schemaWorkMs`. Jobs run one
 * after the other; a check that waits is replaced by a newer one.
 */
export class SchemaWorker {
  readonly #make: () => WorkerLike;
  readonly #schema: string;
  #worker: WorkerLike | undefined;
  #ready = false;
  #running: Waiting | undefined;
  readonly #queue: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tooLong = 0;

  /** `schema` is JSON text. */
  constructor(schema: string, make: () => WorkerLike) {
    this.#schema = schema;
    this.#make = make;
  }

  /** The verdict on a document; undefined if a newer check took its place. */
  async check(text: string, branches: BranchPlaces): Promise<CheckResult | undefined> {
    // A schema that hung twice will hang again: a key pressed must not cost half a second of a core each time.
    if (this.#tooLong >= 2) return { findings: [], unchecked: TOO_LONG };
    const older = this.#queue.findIndex(({ job }) => job.type === 'check');
    if (older >= 0) this.#queue.splice(older, 1)[0]!.resolve({ type: 'ready' });
    const answer = await this.#ask({ type: 'check', text, branches });
    if (answer.type === 'verdict') return answer.verdict;
    return answer.type === 'failed' ? { findings: [], unchecked: answer.message } : undefined;
  }

  /** A document that fits the schema, as JSON text. Rejects with the reason if none can be made. */
  async sample(all: boolean): Promise<string> {
    const answer = await this.#ask({ type: 'sample', all });
    if (answer.type === 'sample') return answer.text;
    throw new Error(answer.type === 'failed' ? answer.message : 'the page let go of it');
  }

  /** Ends the Worker; what waits is answered as if a newer job had come. */
  close(): void {
    this.#stop();
    for (const { resolve } of [this.#running, ...this.#queue].filter((each) => each !== undefined))
      resolve({ type: 'ready' });
    this.#running = undefined;
    this.#queue.length = 0;
  }

  #ask(job: Waiting['job']): Promise<CheckAnswer> {
    return new Promise((resolve) => {
      this.#queue.push({ job, resolve });
      this.#next();
    });
  }

  #next(): void {
    if (this.#worker === undefined) this.#start();
    if (!this.#ready || this.#running !== undefined) return;
    this.#running = this.#queue.shift();
    if (this.#running === undefined) return;
    this.#worker!.postMessage(this.#running.job);
    this.#timer = setTimeout(() => {
      this.#tooLong += 1;
      this.#stop();
      this.#settle({ type: 'failed', message: TOO_LONG });
    }, LIMITS.schemaWorkMs);
  }

  #start(): void {
    const worker = this.#make();
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<CheckAnswer>) => {
      if (data.type !== 'ready') return this.#settle(data);
      this.#ready = true;
      worker.postMessage({ type: 'schema', text: this.#schema });
      this.#next();
    };
    worker.onerror = () => {
      this.#stop();
      this.#running ??= this.#queue.shift();
      this.#settle({ type: 'failed', message: 'the part of the page that checks did not load' });
    };
  }

  #settle(answer: CheckAnswer): void {
    clearTimeout(this.#timer);
    const done = this.#running;
    this.#running = undefined;
    done?.resolve(answer);
    if (this.#queue.length > 0) this.#next();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = false;
  }
}
