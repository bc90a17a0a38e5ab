import type { TeamReport } from './questions/report';

/** A request of the page, by `POST /api/report`. */
export interface ReportRequest {
  /** True for the recordings of the bucket that the command line named, false for those of this machine. */
  readonly bucket: boolean;
  /** Only recordings of the last days; 0 for all. */
  readonly days: number;
  /** Two commits, versions or tags; absent for the newest versions. */
  readonly compare?: readonly [before: string, after: string];
}

/** The report, or how far it is: then ask again. */
export type ReportReply =
  | { readonly progress: { readonly done: number; readonly of: number } }
  | {
      readonly report: TeamReport;
      /** Sentences about recordings that are missing. */
      readonly notes: readonly string[];
    };

/** Longest name of a side of a comparison, in characters: a hash of a commit has 64. */
export const SIDE_CHARS = 200;
