import { JsonSource } from '@/lib/json/source';
import { own } from '@/lib/json/value';
import { NEEDS_EVERY_FRAME, type Problem } from '@/lib/problems/problem';
import { withSkipped } from '@/lib/problems/problem-feed';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { ProblemList } from '@/lib/problems/problem-list';
import type { SkippedChecks } from '@/lib/problems/protocol-state';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import type { SecretFinding } from '@/lib/redact/findings';
import type { Redaction } from '@/lib/redact/redaction';
import { ShareReview } from '@/lib/redact/share-review';
import { decode, messagesOf } from '@/lib/store/classify';
import { Log } from '@/lib/store/log';
import { appendWithoutLongStrings } from '@/lib/store/without-long-strings';
import { messageLength } from '@/lib/wire/cut-message';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { idKey, type RequestId } from '@/lib/wire/message';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { type OpenedFile, openFile } from '@/proxy/recorder/open-file';
import { damageSentences, openOutline, readPortions } from '@/proxy/recorder/read-traffic';
import { GrowingSource, type RecordingLines, wholeSource } from './recording-bytes';

/** Bytes of frames that are held. Older ones are read again. */
const HELD_BYTES = 64 * 1024 * 1024;
const AGAIN_BYTES = 32 * 1024 * 1024;
/** Frames and bytes that are added at a time. Each time costs about a millisecond. */
const BATCH_FRAMES = 4096;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Hangs of the rules outside of schema checks, after which the rules stay off. */
const UNEXPLAINED_HANGS = 2;

/**
 * A recording as the tools see it: read as far as time allowed, followed while it grows, and without its secrets. The
 * log has masked frames only. Rules see the frames as they are, so every text that leaves has to pass {@link mask}.
 */
export class AgentRecording {
  readonly path: string;
  readonly #isGrowing: () => boolean;
  #state: Reading;
  #skipped: SkippedChecks | undefined;
  #unexplained = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, isGrowing: () => boolean) {
    this.path = path;
    this.#isGrowing = isGrowing;
    this.#state = this.#newReading();
  }

  get log(): Log {
    return this.#state.log;
  }

  /** The findings of the rules. Those that compare messages are left out if frames are missing. */
  get problems(): ProblemList {
    const { problems, tolerant } = this.#state;
    const { report, reader } = tolerant;
    const lacks =
      reader.header?.selection !== undefined || (report && (report.missing > 0 || report.damaged.count > 0));
    return lacks ? problems.without(NEEDS_EVERY_FRAME) : problems;
  }

  /** Values that look like secrets. */
  get secrets(): readonly SecretFinding[] {
    return this.#state.review.findings().list;
  }

  /** True if no frame can follow. */
  get isWhole(): boolean {
    return this.#state.isEnded;
  }

  /** Bytes of the file that were read. */
  get bytesRead(): number {
    return this.#state.source.bytesRead;
  }

  /** Says what is missing, in sentences. */
  get gaps(): readonly string[] {
    const { tolerant, rulesEnd } = this.#state;
    const { report, failure, reader } = tolerant;
    const facts = { header: reader.header, report, ...(failure !== undefined && { failure }) };
    return [
      ...(facts.header ? damageSentences({ ...facts, header: facts.header }) : []),
      ...(rulesEnd === undefined ? [] : [`The rules took too long, so frames from #${rulesEnd} on are not checked.`]),
    ];
  }

  /**
   * Reads what the file has, until `isLate`. Resolves with false if it was late. Rejects as `openFile` does for a file
   * that is not a recording.
   */
  readOn(isLate: () => boolean): Promise<boolean> {
    // Calls of an agent can run side by side.
    const read = this.#last.then(() => this.#readOn(isLate));
    this.#last = read.catch(() => {});
    return read;
  }

  async #readOn(isLate: () => boolean): Promise<boolean> {
    for (;;) {
      const how = await this.#state.readOn(isLate);
      if (how !== 'hung') return how === 'all';
      this.#restart();
    }
  }

  /** Starts again, without the schema check that hung. */
  #restart(): void {
    const { checking } = this.#state;
    void this.#state.close();
    if (checking === undefined) this.#unexplained++;
    else this.#skipped = withSkipped(this.#skipped, checking);
    this.#state = this.#newReading();
  }

  #newReading(): Reading {
    return new Reading(this.path, this.#isGrowing, this.#skipped, this.#unexplained >= UNEXPLAINED_HANGS);
  }

  /** Masks the secrets of the recording that are in a text. */
  mask(text: string): string {
    return this.#state.redaction.applyText(text);
  }

  /**
   * Returns a frame without its secrets; undefined if it is beyond the end, or can't be read before `isLate`. The index
   * of a long recording finds a frame that the log does not have yet.
   */
  async frame(seq: number, isLate: () => boolean): Promise<Frame | undefined> {
    const { log } = this;
    if (seq > log.size && this.isWhole) return undefined;
    if (seq <= log.size && log.hasBytes(seq)) return { ...log.frame(seq - 1), bytes: log.wholeBytes(seq - 1) };
    const found = await this.#again(seq, isLate);
    return found && this.#state.redaction.apply(found);
  }

  /** Returns a frame's text; undefined as {@link frame}. */
  async text(seq: number, isLate: () => boolean): Promise<string | undefined> {
    const frame = await this.frame(seq, isLate);
    return frame && decode(frame.bytes).text;
  }

  /** Returns the message in a frame. Of a batch, the one with this id, otherwise the first. */
  async message(seq: number, isLate: () => boolean, id?: RequestId | null): Promise<JsonSource | undefined> {
    const text = await this.text(seq, isLate);
    const source = text === undefined ? undefined : JsonSource.parse(text);
    if (source?.kind !== 'array') return source?.kind === 'object' ? source : undefined;
    const bodies = messagesOf(source.value).map(({ body }) => body);
    return source.item(
      Math.max(
        0,
        bodies.findIndex((body) => idKey(own(body, 'id')) === idKey(id)),
      ),
    );
  }

  /** Reads one frame again: by the index of the file if it has one, otherwise from the start. */
  async #again(seq: number, isLate: () => boolean): Promise<Frame | undefined> {
    const outline = await openOutline(await openFile(this.path));
    if (outline) {
      try {
        for await (const chunk of outline.chunks()) {
          if (!chunk) break;
          if (outline.count >= seq) return outline.frame(seq);
        }
      } finally {
        await outline.close();
      }
    }
    for await (const frames of readPortions(await this.#opened(), () => {}).portions) {
      const found = frames.find((frame) => frame.seq === seq);
      if (found || isLate()) return found;
    }
    return undefined;
  }

  /** Puts evicted frames into the log for a while. Yields their seqs, by portion, until `isLate`. */
  async *restored(isWanted: (index: number) => boolean, isLate: () => boolean): AsyncGenerator<readonly number[]> {
    for await (const frames of readPortions(await this.#opened(), () => {}).portions) {
      const wanted = frames.filter(({ seq }) => seq <= this.log.size && isWanted(seq - 1));
      this.log.restore(wanted.map((frame) => this.#state.redaction.apply(frame)));
      if (wanted.length > 0) yield wanted.map(({ seq }) => seq);
      if (isLate()) return;
    }
  }

  #opened(): Promise<OpenedFile> {
    return openFile(this.path);
  }

  close(): Promise<void> {
    return this.#state.close();
  }
}

/** One reading of a recording, from its first frame. */
class Reading {
  readonly log = new Log('', { held: HELD_BYTES, again: AGAIN_BYTES });
  readonly problems = new ProblemList();
  readonly review = new ShareReview();
  readonly tolerant = new TolerantReader(new RecordingReader(runningSha256()));
  readonly source: RecordingLines;
  redaction: Redaction = this.review.createRedaction();
  isEnded = false;
  /** The result whose check against its schema has hung. */
  checking: number | undefined;
  /** The first frame that the rules did not check. */
  rulesEnd: number | undefined;
  readonly #finder: ProblemFinder;
  readonly #hasRules: boolean;
  readonly #portions: AsyncGenerator<readonly Frame[]>;
  #next: Promise<IteratorResult<readonly Frame[], unknown>> | undefined;

  constructor(path: string, isGrowing: () => boolean, skipped: SkippedChecks | undefined, withoutRules: boolean) {
    this.source = isGrowing() ? new GrowingSource(path, isGrowing) : wholeSource(path);
    this.#portions = this.tolerant.portions(this.source.chunks);
    this.#hasRules = !withoutRules;
    this.#finder = new ProblemFinder((seq) => {
      this.checking = seq;
    });
    if (skipped) this.#finder.skipChecks(skipped);
    if (withoutRules) this.rulesEnd = 1;
  }

  /** Reads until the end of what is there (`all`), until it is `late`, or until the rules have `hung`. */
  async readOn(isLate: () => boolean): Promise<'all' | 'late' | 'hung'> {
    if (this.isEnded) return 'all';
    const caughtUp = this.source.caughtUp().then(() => 'idle' as const);
    let batch: Frame[] = [];
    let bytes = 0;
    for (;;) {
      this.#next ??= this.#portions.next();
      const next = await Promise.race([this.#next, caughtUp]);
      const isOver = next === 'idle' || next.done === true;
      if (next !== 'idle') {
        this.#next = undefined;
        if (next.done) this.isEnded = true;
        else {
          batch.push(...next.value);
          for (const frame of next.value) bytes += messageLength(frame);
        }
      }
      const late = isLate();
      if (isOver || late || batch.length >= BATCH_FRAMES || bytes >= BATCH_BYTES) {
        if (!this.#add(batch)) return 'hung';
        [batch, bytes] = [[], 0];
      }
      if (isOver) return 'all';
      if (late) return 'late';
    }
  }

  /** Closes the file. */
  async close(): Promise<void> {
    this.isEnded = true;
    await this.source.close();
    await this.#portions.return(undefined);
  }

  /** Returns false if the rules hung. */
  #add(frames: readonly Frame[]): boolean {
    if (frames.length === 0) return true;
    for (const frame of frames) this.review.addFrame(frame);
    this.redaction = this.review.createRedaction();
    if (!this.#check(frames)) return false;
    appendWithoutLongStrings(
      this.log,
      frames.map((frame) => this.redaction.apply(frame)),
    );
    this.log.flush();
    return true;
  }

  #check(frames: readonly Frame[]): boolean {
    if (!this.#hasRules) return true;
    const fine = runWithin(LIMITS.rulesMs, () => {
      for (const frame of frames) {
        this.checking = undefined;
        this.#finder.addFrame(frame);
      }
    });
    if (fine) this.problems.addResults({ changed: this.#finder.takeChanged(), marks: this.#finder.takeMarks() });
    return fine;
  }
}

/** Returns the problems of the rules that a frame has, the most severe first. */
export function problemsOf({ problems }: AgentRecording, seqs: readonly number[]): readonly Problem[] {
  return [...new Set(seqs.flatMap((seq) => problems.of(seq)))];
}
