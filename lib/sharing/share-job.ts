import type { SkippedChecks } from '@/lib/problems/protocol-state';
import type { RecordingEnd, RecordingHeader } from '@/lib/recording/format';
import type { ExtraPattern, Findings } from '@/lib/redact/findings';
import type { ShareDecision } from '@/lib/redact/rules';
import type { Frame } from '@/lib/wire/frame';
import type { Failure } from '@/lib/wire/lifecycle';
import type { PersonalDetail } from './personal-details';
import type { FrameSelection } from './selection';

/** A kind of output: a recording (gzipped or not), a page, a link, a report, a diagram, an HTTP Archive. */
export type ShareKind = 'gz' | 'jsonl' | 'html' | 'link' | 'markdown' | 'mermaid' | 'har';

/** A person's decisions, and the data that an output of this kind needs. Plain data, since it crosses threads. */
export interface ShareRequest {
  readonly kind: ShareKind;
  /** By the id of a finding or personal detail, or by the key of a rule or kind. */
  readonly decisions: readonly (readonly [id: string, decision: ShareDecision])[];
  readonly patterns: readonly ExtraPattern[];
  /** Name of the recording, without an extension. */
  readonly name: string;
  /** For `html`: the viewer from scripts/build-viewer.mjs, with its fonts. */
  readonly template?: Blob;
  /** For `link`: URL of the page. */
  readonly page?: string;
  /** For `markdown`: seq of the frame to report; absent: the worst. */
  readonly about?: number;
  /** For `markdown`: results whose schema check hung earlier and is skipped, by seq in the whole recording. */
  readonly unchecked?: SkippedChecks;
}

/** A message from the page to the worker that shares one log. */
export type ShareJob =
  /** Starts a share. Always the first job. The same `salt` gives findings the same ids. */
  | { readonly type: 'begin'; readonly about: ShareSource['about']; readonly salt: Uint8Array }
  /** The next frames, in order. */
  | { readonly type: 'frames'; readonly frames: readonly Frame[] }
  /** Reviews the selected frames. Required before `make`. A later review replaces an earlier one. */
  | { readonly type: 'review'; readonly ref: number; readonly selection: FrameSelection }
  /** Counts the places where a pattern matches in the frames that were last reviewed. */
  | { readonly type: 'count'; readonly ref: number; readonly pattern: ExtraPattern }
  | ({ readonly type: 'make'; readonly ref: number } & ShareRequest)
  /** Stops the job `ref`, which then fails with `cancelled`, unless it is done. */
  | { readonly type: 'cancel'; readonly ref: number };

/** The result of a review of the chosen frames. */
export interface ReviewResult {
  readonly findings: Findings;
  readonly facts: readonly PersonalDetail[];
  /** Number of frames, without notes. */
  readonly frames: number;
  readonly bytes: number;
}

/** An output that was made. */
export interface ShareResult {
  readonly content: Blob | string;
  /** Name of the file. */
  readonly name: string;
  /** Number of masked places. */
  readonly masked: number;
}

/** A message from the worker to the page. Every job with a `ref` gets an answer, except `cancel`. */
export type ShareAnswer =
  | { readonly type: 'progress'; readonly ref: number; readonly done: number; readonly total: number }
  | ({ readonly type: 'reviewed'; readonly ref: number } & ReviewResult)
  | { readonly type: 'counted'; readonly ref: number; readonly places: number }
  | ({ readonly type: 'made'; readonly ref: number } & ShareResult)
  | { readonly type: 'failed'; readonly ref: number; readonly failure: Failure };

/** The frames to share, which can be read repeatedly, and facts about them. */
export interface ShareSource {
  /** `lacks` may be unknown until all frames were read. Without `mode`, this is the log of a live connection. */
  readonly about: Pick<RecordingHeader, 'id' | 'at' | 'name' | 'transport' | 'as' | 'lacks'> &
    Partial<Pick<RecordingHeader, 'mode'>> &
    Pick<RecordingEnd, 'forgotten' | 'early'>;
  /** Returns the frames in order, from the first: all of them, or at least the selected ones. */
  frames(selection?: FrameSelection): AsyncIterable<Frame>;
  /**
   * Completes a range with the frames that it needs, and counts all frames, without reading them all. Absent, or
   * undefined: not possible for this source and range.
   */
  complete?(chosen: FrameSelection): Promise<CompletedSelection | undefined>;
}

/** A selection with the frames that it needs, and the number of frames in the whole recording. */
export interface CompletedSelection {
  readonly selection: FrameSelection;
  readonly of: number;
}
