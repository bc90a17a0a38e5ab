import type { JsonPath } from '@/lib/json/edit';
import { LIMITS } from '@/lib/wire/limits';

/** A job for the worker. The schema is sent once, before the jobs that use it. */
export type SchemaJob =
  | { readonly type: 'schema'; readonly text: string }
  | { readonly type: 'check'; readonly text: string; readonly branches: BranchPlaces }
  | { readonly type: 'sample'; readonly all: boolean };

/** The picked branch (`anyOf/1`) of each union in the form, by its path as JSON text. */
export type BranchPlaces = ReadonlyMap<string, string>;

/** A problem of a document. */
export interface SchemaFinding {
  readonly path: JsonPath;
  readonly text: string;
  /** A required property is missing. The path is its place. */
  readonly missing: boolean;
}

/** Result of a check. `unchecked` says why the document can't be checked against the schema. */
export interface CheckResult {
  readonly findings: readonly SchemaFinding[];
  readonly unchecked?: string;
}

/** The worker's answers: `ready` first, then one per job, in order. */
export type CheckAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'verdict'; readonly verdict: CheckResult }
  | { readonly type: 'sample'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string };

/** The part of a Worker that is used here. */
export type SchemaWorkerLike = Pick<Worker, 'onmessage' | 'onerror' | 'terminate'> & {
  postMessage(job: SchemaJob): void;
};

interface Waiting {
  readonly job: Exclude<SchemaJob, { type: 'schema' }>;
  readonly resolve: (answer: CheckAnswer) => void;
}

const TOO_LONG = `it took longer than ${LIMITS.schemaWorkMs} ms, most likely in a pattern`;

/**
 * Checks and samples for one schema in a Worker, which is terminated when a job takes longer than
 * `LIMITS.schemaWorkMs`. Jobs run one at a time. A newer check replaces a waiting one, and answers it if the text is
 * the same.
 */
export class SchemaWorker {
  readonly #make: () => SchemaWorkerLike;
  readonly #schema: string;
  #worker: SchemaWorkerLike | undefined;
  #ready = false;
  #running: Waiting | undefined;
  readonly #queue: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tooLong = 0;

  /** `schema` is JSON text. */
  constructor(schema: string, make: () => SchemaWorkerLike) {
    this.#schema = schema;
    this.#make = make;
  }

  /** Checks a document. Resolves with undefined if a check of another text replaced this one. */
  async check(text: string, branches: BranchPlaces): Promise<CheckResult | undefined> {
    // A schema that hung twice will hang again. Each key press would cost half a second of CPU time.
    if (this.#tooLong >= 2) return { findings: [], unchecked: TOO_LONG };
    const older = this.#queue.findIndex(({ job }) => job.type === 'check');
    const [replaced] = older >= 0 ? this.#queue.splice(older, 1) : [];
    const asked = this.#ask({ type: 'check', text, branches });
    if (replaced?.job.type === 'check' && replaced.job.text === text) void asked.then(replaced.resolve);
    else replaced?.resolve({ type: 'ready' });
    const answer = await asked;
    if (answer.type === 'verdict') return answer.verdict;
    return answer.type === 'failed' ? { findings: [], unchecked: answer.message } : undefined;
  }

  /** Makes a valid document as JSON text. Rejects with the reason if that fails. */
  async sample(all: boolean): Promise<string> {
    const answer = await this.#ask({ type: 'sample', all });
    if (answer.type === 'sample') return answer.text;
    throw new Error(answer.type === 'failed' ? answer.message : 'the request was cancelled');
  }

  /** Terminates the Worker. Waiting jobs are answered as if a newer one had replaced them. */
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
      this.#settle({ type: 'failed', message: 'the schema checker did not load' });
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
