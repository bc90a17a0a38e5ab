import { runningDigest } from '@/lib/recording/digests';
import { RecordingError } from '@/lib/recording/errors';
import { writeHar } from '@/lib/recording/har/write-har';
import { patternFinder } from '@/lib/redact/extra-patterns';
import { Placeholders } from '@/lib/redact/placeholders';
import { countPatternMatches } from '@/lib/redact/redaction';
import type { Frame } from '@/lib/wire/frame';
import { isFailure } from '@/lib/wire/lifecycle';
import { bugReport } from './bug-report';
import { createRecordingLink, linesForLink } from './make-link';
import { writeMermaid } from './mermaid';
import { detailTexts, droppedDetails } from './personal-details';
import { type ReviewedSource, reviewSource } from './review-source';
import { isSelected } from './selection';
import { gzipped, htmlPieces, streamBase64, streamOf } from './share-files';
import type { ShareAnswer, ShareJob, ShareKind, ShareRequest, ShareResult, ShareSource } from './share-job';
import { type CopyOptions, sharedFrames, writeSharedCopy } from './shared-recording';

/** Bytes between two progress reports. */
const PROGRESS_BYTES = 256 * 1024;

type Make = (
  source: ShareSource,
  options: CopyOptions,
  request: ShareRequest,
  runner: ShareJobRunner,
) => Promise<Omit<ShareResult, 'masked'>>;

/** Runs the share jobs of one log: holds the frames, reviews them, and makes files. Runs in a Worker of the page. */
export class ShareJobRunner {
  readonly version: string;
  readonly #post: (answer: ShareAnswer) => void;
  readonly #frames: Frame[] = [];
  /** The placeholders of all reviews, so that a finding keeps its id. */
  readonly #placeholders = new Placeholders();
  #about: ShareSource['about'] = { id: '', at: '', name: '', transport: 'auto' };
  #bytes = 0;
  #reviewed: ReviewedSource | undefined;

  /** `version` is that of mcp-inspect. */
  constructor(version: string, post: (answer: ShareAnswer) => void) {
    this.version = version;
    this.#post = post;
  }

  /** When the recording was made. */
  get at(): string {
    return this.#about.at;
  }

  /** Runs a job. Never rejects. */
  async run(job: ShareJob): Promise<void> {
    if (job.type === 'begin') this.#about = job.about;
    else if (job.type === 'frames') {
      this.#frames.push(...job.frames);
      for (const { bytes } of job.frames) this.#bytes += bytes.length;
    } else {
      try {
        this.#post(await this.#answer(job));
      } catch (error) {
        const failure = isFailure(error)
          ? { code: error.code, message: error.message, advice: error.advice }
          : { code: 'internal', message: `Sharing failed: ${error}.`, advice: 'Try fewer frames.' };
        this.#post({ type: 'failed', ref: job.ref, failure });
      }
    }
  }

  #answer(job: Extract<ShareJob, { ref: number }>): Promise<ShareAnswer> {
    if (job.type === 'review') return this.#review(job);
    return job.type === 'count' ? this.#count(job) : this.#make(job);
  }

  async #count({ ref, pattern }: Extract<ShareJob, { type: 'count' }>): Promise<ShareAnswer> {
    if (!this.#reviewed) throw new Error('nothing was reviewed');
    const { selection } = this.#reviewed;
    const finder = patternFinder([pattern]);
    let places = 0;
    for (const frame of this.#frames)
      if (isSelected(selection, frame)) places += countPatternMatches(finder, frame.bytes);
    return { type: 'counted', ref, places };
  }

  async #review({ ref, selection }: Extract<ShareJob, { type: 'review' }>): Promise<ShareAnswer> {
    const reviewed = await reviewSource(this.#source(ref), selection, this.#placeholders);
    this.#reviewed = reviewed;
    const { review, frames, bytes, facts } = reviewed;
    return { type: 'reviewed', ref, findings: review.findings(), facts, frames, bytes };
  }

  async #make({ ref, ...request }: Extract<ShareJob, { type: 'make' }>): Promise<ShareAnswer> {
    if (!this.#reviewed) throw new Error('nothing was reviewed');
    const { review, of, selection, facts } = this.#reviewed;
    const decisions = new Map(request.decisions);
    const dropped = droppedDetails(facts, decisions);
    const patterns = [...request.patterns, ...detailTexts(facts, dropped).map((literal) => ({ literal }))];
    const redaction = review.createRedaction({ decisions, patterns });
    const options = { selection, of, redaction, dropped, by: `mcp-inspect/${this.version}` };
    const made = await MAKERS[request.kind](
      this.#source(ref),
      options,
      { ...request, name: redaction.applyText(request.name) },
      this,
    );
    return { type: 'made', ref, ...made, masked: redaction.count };
  }

  /** Returns the frames, and reports progress while they are read. */
  #source(ref: number): ShareSource {
    const [frames, total, post] = [this.#frames, this.#bytes, this.#post];
    return {
      about: this.#about,
      async *frames() {
        let [done, reported] = [0, 0];
        for (const frame of frames) {
          yield frame;
          done += frame.bytes.length;
          if (done - reported < PROGRESS_BYTES) continue;
          reported = done;
          post({ type: 'progress', ref, done, total });
        }
      },
    };
  }
}

const MAKERS: { readonly [Kind in ShareKind]: Make } = {
  async jsonl(source, options, { name }) {
    const content = await new Response(
      streamOf(writeSharedCopy(source, { ...options, digest: runningDigest() })),
    ).blob();
    return { content, name: `${name}.mcpr.jsonl` };
  },
  async gz(source, options, { name }) {
    const content = await new Response(
      gzipped(writeSharedCopy(source, { ...options, digest: runningDigest() })),
    ).blob();
    return { content, name: `${name}.mcpr.gz` };
  },
  async html(source, options, { name, template }) {
    const page = await new Response(template!.stream().pipeThrough(new DecompressionStream('gzip'))).text();
    const base64 = await streamBase64(gzipped(writeSharedCopy(source, { ...options, digest: runningDigest() })));
    return { content: new Blob([...htmlPieces(page, `${name}.mcpr.gz`, base64)]), name: `${name}.html` };
  },
  async link(source, options, { name, page = '' }) {
    return { content: createRecordingLink(page, await linesForLink(writeSharedCopy(source, options))), name };
  },
  async markdown(source, options, { name, about, unchecked }, { version, at }) {
    const facts = {
      version,
      at,
      file: `${name}.mcpr.gz`,
      ...(about !== undefined && { about }),
      range: options.selection,
      ...(unchecked && { unchecked }),
      lacks: source.about.lacks,
    };
    return { content: await bugReport(sharedFrames(source, options), facts), name: `${name}.md` };
  },
  async mermaid(source, options, { name }) {
    return { content: await writeMermaid(sharedFrames(source, options)), name: `${name}.mmd` };
  },
  async har(source, options, { name }, { version, at }) {
    const har = await writeHar(sharedFrames(source, options), { at, version });
    if (har === undefined) throw WITHOUT_HTTP;
    return { content: new Blob([har]), name: `${name}.har` };
  },
};

const WITHOUT_HTTP = new RecordingError(
  'nothing-over-http',
  'None of the chosen frames went over HTTP, so an HTTP Archive would be empty.',
  'Choose more frames, or include HTTP.',
);
