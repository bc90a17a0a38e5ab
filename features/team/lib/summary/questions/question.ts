import { countOf } from '@/lib/wire/format';
import type { RecordingSummary } from '../recording-summary';

/** A recording that a report rests on. */
export interface ReportedRecording {
  readonly summary: RecordingSummary;
  /** Path of its file, name in the list of the page, or address in a bucket. */
  readonly place: string;
}

/** A recording that shows what a row says. */
export interface Source {
  readonly place: string;
  readonly at: string;
  /** The frame to look at, and what it is. */
  readonly frame?: number;
  readonly what?: string;
}

/** A row of an answer. Texts come from servers, hosts and people. */
export interface AnswerRow {
  /** One text for each column. */
  readonly cells: readonly string[];
  /** The same for programs. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** It rests on few calls. */
  readonly tone?: 'unsure';
  /** At most `MOST_SOURCES`, the most telling first. */
  readonly sources: readonly Source[];
  /** Recordings that the row rests on. */
  readonly recordings: number;
}

/** A column of a question's table. */
export interface QuestionColumn {
  readonly title: string;
  readonly isNumber?: true;
}

/** Rows of an answer, and a sentence about what they rest on. */
export interface Answered {
  readonly rows: readonly AnswerRow[];
  readonly basis: string;
  /** Replaces the question's sentence about an answer without rows. */
  readonly empty?: string;
  /** Nothing could be compared, so no rows mean nothing. */
  readonly comparedNothing?: true;
}

/** Options of all questions. */
export interface QuestionOptions {
  /** Two commits, versions or tags to compare. Absent: each server's newest version and the one before. */
  readonly compare?: readonly [before: string, after: string];
  /** Takes recordings of `check` too. */
  readonly withChecks?: boolean;
  /** Most rows of an answer, if not `MOST_ROWS`. */
  readonly mostRows?: number;
}

/** A question that is ready to ask over many recordings. */
export interface ReportQuestion {
  readonly id: string;
  readonly title: string;
  /** A few sentences about what the table shows and how sure it is. */
  readonly about: string;
  readonly columns: readonly QuestionColumn[];
  /** Shown when there are no rows. */
  readonly empty: string;
  readonly answer: (recordings: readonly ReportedRecording[], asked: QuestionOptions) => Answered;
}

/** Most recordings that a row names. */
export const MOST_SOURCES = 5;

/** Returns the name by which recordings of the same server are put together, however it is started. */
export function summaryServer({ server }: RecordingSummary): string {
  return server.info ?? server.name;
}

/** Makes a source of a recording. */
export function sourceOf({ place, summary: { at } }: ReportedRecording, frame?: number, what?: string): Source {
  return { place, at, ...(frame !== undefined && { frame }), ...(what !== undefined && { what }) };
}

/** Formats a share as a percentage: `12%`, `0.4%`. */
export function percent(share: number): string {
  const value = share * 100;
  if (value === 0 || value === 100) return `${value}%`;
  if (value < 0.1) return '<0.1%';
  if (value > 99.9) return '>99.9%';
  return `${value < 9.95 || value >= 99.5 ? value.toFixed(1) : Math.round(value)}%`;
}

/** Compares two times for a list with the newest first. Plain text of one form is in order of time. */
export function newestFirst(one: string, other: string): number {
  return one === other ? 0 : one < other ? 1 : -1;
}

/** Says that recordings of `check` were left out of a report; '' if none was. */
export function checksText({ checks }: { readonly checks: number }): string {
  return checks === 0 ? '' : `, without ${countOf(checks, 'recording')} of check`;
}
