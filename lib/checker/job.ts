import type { Path } from '@/lib/schema/document';

/** What the page asks the worker for. A schema is sent once, before the jobs that use it. */
export type Job =
  | { readonly type: 'schema'; readonly text: string }
  | { readonly type: 'check'; readonly text: string; readonly branches: BranchPlaces }
  | { readonly type: 'sample'; readonly all: boolean };

/** For each union shown in the form, by its path as JSON text: the branch that is picked, as it stands in the schema (`anyOf/1`). */
export type BranchPlaces = ReadonlyMap<string, string>;

/** Something wrong with a document. */
export interface Finding {
  readonly path: Path;
  readonly text: string;
  /** A required property that is not there: the path is where it would be. */
  readonly missing: boolean;
  /** The keyword of the schema that wants it otherwise; `false` for what may not be there at all. */
  readonly keyword: string;
}

/** What checking came to; `unchecked` is why the schema could not be checked, if it could not. */
export interface Verdict {
  readonly findings: readonly Finding[];
  readonly unchecked?: string;
}

/** The worker's answers, in the order of the jobs; it says `ready` first. */
export type Answer =
  | { readonly type: 'ready' }
  | { readonly type: 'verdict'; readonly verdict: Verdict }
  | { readonly type: 'sample'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string };
