import type { SkippedChecks } from '@/lib/problems/protocol-state';
import type { RecordingEnd, RecordingHeader } from '@/lib/recording/format';
import type { ExtraPattern, Findings } from '@/lib/redact/findings';
import type { Decision } from '@/lib/redact/rules';
import type { Frame } from '@/lib/wire/frame';
import type { Failure } from '@/lib/wire/lifecycle';
import type { PersonalDetail } from './personal-details';
import type { FrameSelection } from './selection';

/** What can be made of what is shared: a recording, gzipped or not, a page, a link, a report, a diagram, an HTTP Archive. */
export type ShareKind = 'gz' | 'jsonl' | 'html' | 'link' | 'markdown' | 'mermaid' | 'har';

/** What a person decided, and what it takes to make one of them. Plain, so that it crosses threads. */
export interface ShareRequest {
  readonly kind: ShareKind;
  /** By a finding's id. */
  readonly decisions: readonly (readonly [id: string, decision: Decision])[];
  readonly patterns: readonly ExtraPattern[];
  /** What the recording is called, without an ending. */
  readonly name: string;
  /** Of `html`: what scripts/build-viewer.mjs makes, gzipped. */
  readonly template?: Blob;
  /** Of `link`: where the page is. */
  readonly page?: string;
  /** Of `markdown`: seq of the frame that it is about; absent: the worst. */
  readonly about?: number;
  /** Of `markdown`: what no rule is to hold against a schema, since it hung over that before; by seq in the whole. */
  readonly unchecked?: SkippedChecks;
}

/** The page → the worker that shares one log. */
export type ShareJob =
  /** First. */
  | { readonly type: 'begin'; readonly about: ShareSource['about'] }
  /** The next ones, in order. */
  | { readonly type: 'frames'; readonly frames: readonly Frame[] }
  /** Nothing is made before a review; a later one takes the place of the one before. */
  | { readonly type: 'review'; readonly ref: number; readonly selection: FrameSelection }
  /** In how many places of what was reviewed last a pattern is found. */
  | { readonly type: 'count'; readonly ref: number; readonly pattern: ExtraPattern }
  | ({ readonly type: 'make'; readonly ref: number } & ShareRequest);

/** What leaves, as far as it is chosen. */
export interface ReviewResult {
  readonly findings: Findings;
  readonly facts: readonly PersonalDetail[];
  /** As the log counts them: what was said afterwards is none. */
  readonly frames: number;
  readonly bytes: number;
}

/** Something to be given away. */
export interface ShareResult {
  readonly content: Blob | string;
  /** Of the file. */
  readonly name: string;
  /** Places that were taken out. */
  readonly masked: number;
}

/** The worker → the page. Every job with a `ref` is answered. */
export type ShareAnswer =
  | { readonly type: 'progress'; readonly ref: number; readonly done: number; readonly total: number }
  | ({ readonly type: 'reviewed'; readonly ref: number } & ReviewResult)
  | { readonly type: 'counted'; readonly ref: number; readonly places: number }
  | ({ readonly type: 'made'; readonly ref: number } & ShareResult)
  | { readonly type: 'failed'; readonly ref: number; readonly failure: Failure };

/** What is shared: frames that can be gone through as often as it takes, and what is known of all of them. */
export interface ShareSource {
  /** What it lacks may be known only once all frames were gone through. Without a mode it was recorded by us. */
  readonly about: Pick<RecordingHeader, 'id' | 'at' | 'name' | 'transport' | 'lacks'> &
    Partial<Pick<RecordingHeader, 'mode'>> &
    Pick<RecordingEnd, 'forgotten'>;
  /** All frames, in their order, from the first. */
  frames(): AsyncIterable<Frame>;
}
