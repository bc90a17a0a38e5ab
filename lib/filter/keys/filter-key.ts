import type { Log } from '@/lib/store/log';
import type { FieldValue } from '../ast';
import type { RegexSource } from '../regex-job';

/** Whether the row at this log index fits. */
export type RowTest = (index: number) => boolean;

/** A value that a key takes, for completion and help. */
export interface Suggestion {
  readonly value: string;
  readonly note?: string;
}

/** A key of the language: what it means, which values it takes, and how rows are held against them. */
export interface FilterKey {
  readonly name: string;
  /** What is true of a row that fits. */
  readonly meaning: string;
  /** What a value is, for a sentence. */
  readonly wants: string;
  /** How it may be written; the first is told where a value is wrong. */
  readonly examples: readonly string[];
  /** Every value there is, or some worth offering. */
  readonly suggestions: readonly Suggestion[];
  /** The number in the log's pool of the value that a row has, for keys whose values are offered from the log; 0 is none. */
  readonly numberOf?: (subject: FilterSubject, index: number) => number;
  /** Other values worth offering. */
  readonly logValues?: (subject: FilterSubject) => readonly string[];
  /** Its values say nothing without the key: numbers. */
  readonly bare?: true;
  /** True if this value asks for rows that are hidden else: those that only tell how messages travelled, and notes. */
  readonly asksForHidden: (value: FieldValue) => boolean;
  /** What is wrong with a value and would be right; undefined if it can be read. */
  readonly faultOf: (value: FieldValue) => string | undefined;
  /** The test for a value that has no fault. Numbers and strings that the log has already seen may be looked at now. */
  readonly testFor: (value: FieldValue, subject: FilterSubject) => RowTest;
}

interface FoundProblem {
  readonly rule: string;
  readonly severity: string;
}

/** What the rules found, in all and by frame. */
export interface FoundProblems {
  readonly all: readonly FoundProblem[];
  of(seq: number): readonly FoundProblem[];
}

/** Who finds out what expressions fit. */
export interface RegexResults {
  /** The test for one of them: undefined while it is not known. */
  testFor(expression: RegexSource): (index: number) => boolean | undefined;
}

/** What rows are tested on. */
export interface FilterSubject {
  readonly log: Log;
  readonly problems: FoundProblems;
}
