import type { Failure } from '@/lib/wire/lifecycle';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import type { ListedRecording } from './listed-recording';

/** Longest query in characters. */
export const QUERY_CHARS = 500;

/** A request of the page about the bucket that the command line named, sent by `POST /api/bucket`. */
export type BucketRequest =
  /** Rows that match a query, from one on. */
  | { readonly kind: 'list'; readonly query: string; readonly from: number; readonly most: number }
  /** Reads summaries that are new. `all`: lists the whole bucket again. */
  | { readonly kind: 'fill'; readonly all: boolean }
  /** Ends the fill, and what is being downloaded. */
  | { readonly kind: 'cancel' }
  /** Opens a recording by ranges of its object. `whole`: downloads it first, to compare it. */
  | { readonly kind: 'open'; readonly key: string; readonly whole: boolean }
  /** Copies a recording into the folder of recordings. */
  | { readonly kind: 'save'; readonly key: string }
  /** Reads the rest of the index of an open recording. */
  | { readonly kind: 'read-on'; readonly connection: string };

/** The reply of each kind; the others have an empty one. */
export interface BucketReplies {
  readonly list: BucketListing;
  /** The id of the connection that shows the recording. */
  readonly open: { readonly connection: string };
  /** Id of the copy in the list of recordings. */
  readonly save: { readonly id: string };
}

export interface BucketListing {
  /** `s3://bucket/prefix`. */
  readonly place: string;
  /** Host of the store. */
  readonly host: string;
  /** Recordings that are known. */
  readonly known: number;
  /** Those that match the query. */
  readonly found: number;
  readonly rows: readonly ListedRecording[];
  /** Recordings whose summary can't be used. */
  readonly unlisted: number;
  /** Time when the bucket was last asked for new recordings, ISO 8601. */
  readonly checkedAt?: string;
  /** Present while summaries are read. */
  readonly filling?: { readonly done: number; readonly of: number; readonly listing: boolean };
  /** Present while a recording is downloaded. */
  readonly downloading?: ReadingProgress;
  /** Why the last fill ended early. */
  readonly failure?: Failure;
  /** A person ended the last fill. */
  readonly cancelled?: true;
  /** A sentence about what is wrong with the query. The rows are then those without it. */
  readonly wrong?: string;
}
