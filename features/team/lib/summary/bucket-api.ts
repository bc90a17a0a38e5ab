import { atMostChars, type Checked, isCount, isFlag, kindsWith } from '@/lib/json/value';
import type { Failure } from '@/lib/wire/lifecycle';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import type { ListedRecording } from './listed-recording';

/** Longest query in characters. */
export const QUERY_CHARS = 500;

/** Most rows of an answer. */
const MOST_ROWS = 200;
/** Longest key and id in characters. */
const isShort = atMostChars(1024);

/** Accepts a request of the page about the bucket that the command line named, sent by `POST /api/bucket`. */
export const isBucketRequest = kindsWith('kind', {
  /** Rows that match a query, from one on. */
  list: {
    query: atMostChars(QUERY_CHARS),
    from: isCount,
    most: (value: unknown): value is number => isCount(value) && value <= MOST_ROWS,
  },
  /** Reads summaries that are new. `all`: lists the whole bucket again. */
  fill: { all: isFlag },
  /** Ends the fill, and what is being downloaded. */
  cancel: {},
  /** Opens a recording by ranges of its object. `whole`: downloads it first, to compare it. */
  open: { key: isShort, whole: isFlag },
  /** Copies a recording into the folder of recordings. */
  save: { key: isShort },
  /** Reads the rest of the index of an open recording. */
  'read-on': { connection: isShort },
});
export type BucketRequest = Checked<typeof isBucketRequest>;

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
