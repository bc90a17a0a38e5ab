import { atMostChars, type Checked, isCount, isFlag, objectWith, optional } from '@/lib/json/value';
import type { TeamReport } from './questions/report';

/** Longest name of a side of a comparison, in characters: a hash of a commit has 64. */
const SIDE_CHARS = 200;
/** Most days that a report goes back. */
const MOST_DAYS = 36_500;

const isSide = atMostChars(SIDE_CHARS);

/** Accepts a request of the page, by `POST /api/report`. */
export const isReportRequest = objectWith({
  /** True for the recordings of the bucket that the command line named, false for those of this machine. */
  bucket: isFlag,
  /** Only recordings of the last days; 0 for all. */
  days: (value: unknown): value is number => isCount(value) && value <= MOST_DAYS,
  /** Two commits, versions or tags; absent for the newest versions. */
  compare: optional(
    (value: unknown): value is readonly [before: string, after: string] =>
      Array.isArray(value) && value.length === 2 && value.every((side) => side !== '' && isSide(side)),
  ),
});
export type ReportRequest = Checked<typeof isReportRequest>;

/** The report, or how far it is: then ask again. */
export type ReportReply =
  | { readonly progress: { readonly done: number; readonly of: number } }
  | {
      readonly report: TeamReport;
      /** Sentences about recordings that are missing. */
      readonly notes: readonly string[];
    };
