import { runningDigest } from '@/lib/recording/digests';
import { RecordingError } from '@/lib/recording/errors';
import { writeHar } from '@/lib/recording/har/write-har';
import { patternFinder } from '@/lib/redact/extra-patterns';
import { Placeholders } from '@/lib/redact/placeholders';
import { countPatternMatches } from '@/lib/redact/redaction';
import type { Frame } from '@/lib/wire/frame';
import { nextTask } from '@/lib/wire/in-slices';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { bugReport } from './bug-report';
import { createRecordingLink, linesForLink } from './make-link';
import { writeMermaid } from './mermaid';
import { detailTexts, droppedDetails } from './personal-details';
import { type ReviewedSource, reviewSource } from './review-source';
import { isSelected } from './selection';
import { gzipped, htmlPieces, pageBase64, streamOf } from './share-files';
import type { ShareAnswer, ShareJob, ShareKind, ShareRequest, ShareResult, ShareSource } from './share-job';
import { type CopyOptions, type SharedFrame, sharedFrames, writeCopyOf } from './shared-recording';

/** Bytes between two progress reports. A job that was cancelled stops there. */
const PROGRESS_BYTES = 256 * 1024;

type JobWith<Type extends ShareJob['type']> = Extract<ShareJob, { type: Type }>;

/** Runs the share jobs of one log: holds the frames, reviews them, and makes files. Runs in a Worker of the page. */
export class ShareJobRunner {
  readonly #version: string;
  readonly #post: (answer: ShareAnswer) => void;
  readonly #frames: Frame[] = [];
  #about: ShareSource['about'] = { id: '', at: '', name: '', transport: 'auto' };
  /** The placeholders of all reviews, so that a finding keeps its id. */
  #placeholders = new Placeholders();
  #bytes = 0;
  #reviewed: ReviewedSource | undefined;
  #masked: MaskedFrames | undefined;
  #last = Promise.resolve();
  /** The job under way. */
  #running: number | undefined;
  readonly #cancelled = new Set<number>();

  /** `version` is that of mcp-inspect. */
  constructor(version: string, post: (answer: ShareAnswer) => void) {
    this.#version = version;
    this.#post = post;
  }

  /** Runs a job after all earlier ones, because files are made from the review before them. Never rejects. */
  run(job: ShareJob): Promise<void> {
    if (job.type === 'cancel') this.#cancel(job.ref);
    else this.#last = this.#last.then(() => this.#run(job));
    return this.#last;
  }

  /** The running job stops at its next progress report. Others are answered now, so that only a hang is silent. */
  #cancel(ref: number): void {
    this.#cancelled.add(ref);
    if (ref !== this.#running) this.#post({ type: 'failed', ref, failure: plainFailure(CANCELLED) });
  }

  async #run(job: Exclude<ShareJob, { type: 'cancel' }>): Promise<void> {
    if (job.type === 'begin') {
      this.#about = job.about;
      this.#placeholders = new Placeholders(job.salt);
    } else if (job.type === 'frames') {
      this.#frames.push(...job.frames);
      for (const { bytes } of job.frames) this.#bytes += bytes.length;
    } else if (!this.#cancelled.delete(job.ref)) {
      this.#running = job.ref;
      try {
        this.#post(await this.#answer(job));
      } catch (error) {
        this.#post({ type: 'failed', ref: job.ref, failure: plainFailure(error) });
      }
      this.#running = undefined;
      this.#cancelled.delete(job.ref);
    }
  }

  #answer(job: Extract<ShareJob, { ref: number }>): Promise<ShareAnswer> {
    if (job.type === 'review') return this.#review(job);
    return job.type === 'count' ? this.#count(job) : this.#make(job as JobWith<'make'>);
  }

  async #review({ ref, selection }: JobWith<'review'>): Promise<ShareAnswer> {
    // Nothing may be made of the review before if this one is cancelled.
    this.#reviewed = undefined;
    this.#masked = undefined;
    const isRange = selection.from !== undefined || selection.to !== undefined;
    const watched = this.#watch(ref, isRange ? 2 * this.#bytes : this.#bytes);
    const source = { about: this.#about, frames: () => watched(this.#frames) };
    const reviewed = await reviewSource(source, selection, this.#placeholders);
    this.#reviewed = reviewed;
    const { review, frames, bytes, facts } = reviewed;
    return { type: 'reviewed', ref, findings: review.findings(), facts, frames, bytes };
  }

  async #count({ ref, pattern }: JobWith<'count'>): Promise<ShareAnswer> {
    const { selection } = this.#whatWasReviewed();
    const finder = patternFinder([pattern]);
    let places = 0;
    for await (const frame of this.#watch(ref, this.#bytes)(this.#frames))
      if (isSelected(selection, frame)) places += countPatternMatches(finder, frame.bytes);
    return { type: 'counted', ref, places };
  }

  async #make({ ref, type: _, ...request }: JobWith<'make'>): Promise<ShareAnswer> {
    const reviewed = this.#whatWasReviewed();
    const choices = JSON.stringify([request.decisions, request.patterns, request.name]);
    const known = this.#masked?.choices === choices ? this.#masked : undefined;
    const watched = this.#watch(ref, (known ? 0 : this.#bytes) + reviewed.bytes);
    const masked = known ?? (await this.#mask(reviewed, request, choices, watched(this.#frames)));
    this.#masked = masked;
    const made = await makeOnce(masked, request, () =>
      MAKERS[request.kind]({
        masked,
        request,
        version: this.#version,
        about: this.#about,
        frames: () => watched(masked.frames),
      }),
    );
    return { type: 'made', ref, ...made, masked: masked.places };
  }

  /** Masks what the person decided to mask in all frames. */
  async #mask(
    { review, of, selection, facts }: ReviewedSource,
    request: ShareRequest,
    choices: string,
    all: AsyncIterable<Frame>,
  ): Promise<MaskedFrames> {
    const decisions = new Map(request.decisions);
    const dropped = droppedDetails(facts, decisions);
    const patterns = [...request.patterns, ...detailTexts(facts, dropped).map((literal) => ({ literal }))];
    const redaction = review.createRedaction({ decisions, patterns });
    const options = { selection, of, redaction, dropped, by: `mcp-inspect/${this.#version}` };
    const frames: SharedFrame[] = [];
    const source = { about: this.#about, frames: () => all };
    for await (const frame of sharedFrames(source, options)) frames.push(frame);
    const name = redaction.applyText(request.name);
    return { choices, frames, options, name, places: redaction.count, made: new Map() };
  }

  #whatWasReviewed(): ReviewedSource {
    if (this.#reviewed) return this.#reviewed;
    throw new Error('nothing was reviewed');
  }

  /** Returns a function that iterates over frames, reports progress, and throws once the job is cancelled. */
  #watch(ref: number, total: number): <T extends Frame>(frames: readonly T[]) => AsyncGenerator<T> {
    let [done, reported] = [0, 0];
    const report = async () => {
      this.#post({ type: 'progress', ref, done: Math.min(done, total), total });
      // Lets `cancel` arrive.
      await nextTask();
      if (this.#cancelled.has(ref)) throw CANCELLED;
    };
    return async function* watched(frames) {
      for (const frame of frames) {
        yield frame;
        done += frame.bytes.length;
        if (done - reported < PROGRESS_BYTES) continue;
        reported = done;
        await report();
      }
    };
  }
}

/** The shared frames without what a person masks, and what was made of them. */
interface MaskedFrames {
  /** Identifies the decisions. */
  readonly choices: string;
  readonly frames: readonly SharedFrame[];
  readonly options: CopyOptions;
  /** The recording's name without an extension. */
  readonly name: string;
  /** Number of masked places. */
  readonly places: number;
  /** The last output of each kind, and the options that it was made with. */
  readonly made: Map<ShareKind, { readonly options: string; readonly output: Output }>;
  /** The gzipped recording. */
  packed?: Blob;
}

type Output = Omit<ShareResult, 'masked'>;

/** Returns the output made before, if it was made in the same way. */
async function makeOnce({ made }: MaskedFrames, request: ShareRequest, make: () => Promise<Output>): Promise<Output> {
  const { kind, page, about, unchecked } = request;
  const options = JSON.stringify([page, about, unchecked]);
  const known = made.get(kind);
  if (known?.options === options) return known.output;
  const output = await make();
  made.set(kind, { options, output });
  return output;
}

/** The input of an output. */
interface Ingredients {
  readonly masked: MaskedFrames;
  /** Returns the masked frames, from the first. */
  readonly frames: () => AsyncIterable<SharedFrame>;
  readonly request: ShareRequest;
  readonly about: ShareSource['about'];
  readonly version: string;
}

function writeCopy(ingredients: Ingredients, options: Partial<CopyOptions> = { digest: runningDigest() }) {
  const { masked, frames, about } = ingredients;
  return writeCopyOf(frames(), { about }, { ...masked.options, ...options });
}

/** Returns the gzipped recording, which a page holds as well. */
async function packedRecording(ingredients: Ingredients): Promise<Blob> {
  const { masked } = ingredients;
  masked.packed ??= await new Response(gzipped(writeCopy(ingredients))).blob();
  return masked.packed;
}

const MAKERS: { readonly [Kind in ShareKind]: (ingredients: Ingredients) => Promise<Output> } = {
  async gz(ingredients) {
    return { content: await packedRecording(ingredients), name: `${ingredients.masked.name}.mcpr.gz` };
  },
  async jsonl(ingredients) {
    const content = await new Response(streamOf(writeCopy(ingredients))).blob();
    return { content, name: `${ingredients.masked.name}.mcpr.jsonl` };
  },
  async html(ingredients) {
    const { name } = ingredients.masked;
    const recording = await pageBase64(await packedRecording(ingredients));
    const pieces = htmlPieces(await ingredients.request.template!.text(), `${name}.mcpr.gz`, recording);
    return { content: new Blob([...pieces], { type: 'text/html' }), name: `${name}.html` };
  },
  async link(ingredients) {
    const { masked, request } = ingredients;
    const lines = await linesForLink(writeCopy(ingredients, {}));
    return { content: createRecordingLink(request.page ?? '', lines), name: masked.name };
  },
  async markdown({ masked, frames, request, about: { at, lacks }, version }) {
    const { about, unchecked } = request;
    const facts = {
      version,
      at,
      file: `${masked.name}.mcpr.gz`,
      ...(about !== undefined && { about }),
      range: masked.options.selection,
      ...(unchecked && { unchecked }),
      lacks,
    };
    return { content: await bugReport(frames(), facts), name: `${masked.name}.md` };
  },
  async mermaid({ masked, frames }) {
    return { content: await writeMermaid(frames()), name: `${masked.name}.mmd` };
  },
  async har({ masked, frames, about: { at }, version }) {
    const har = await writeHar(frames(), { at, version });
    if (har === undefined) throw WITHOUT_HTTP;
    return { content: new Blob([har]), name: `${masked.name}.har` };
  },
};

/** Returns a failure that can be posted. */
function plainFailure(error: unknown): Failure {
  if (isFailure(error)) return { code: error.code, message: error.message, advice: error.advice };
  return { code: 'internal', message: `Sharing failed: ${error}.`, advice: 'Try fewer frames.' };
}

const CANCELLED = new RecordingError('cancelled', 'Sharing was cancelled.', 'Share again.');

const WITHOUT_HTTP = new RecordingError(
  'nothing-over-http',
  'None of the chosen frames went over HTTP, so an HTTP Archive would be empty.',
  'Choose more frames, or include HTTP.',
);
