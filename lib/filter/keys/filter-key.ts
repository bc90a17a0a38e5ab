import type { Log } from '@/lib/store/log';
import type { SpanIndex } from '@/lib/store/telemetry/span-index';
import type { FieldValue, RegexSource } from '../language/ast';

/** Tells whether the row at a log index matches. */
export type RowTest = (index: number) => boolean;

/** Like {@link RowTest}, but undefined while the result is unknown. */
export type RowMatcher = (index: number) => boolean | undefined;

/** A value of a key, for completion and help. */
interface Suggestion {
  readonly value: string;
  readonly note?: string;
}

/** A key of the filter language: its meaning, its values and its row test. */
export interface FilterKey {
  readonly name: string;
  /** Description of the rows that the key selects, for the help. */
  readonly meaning: string;
  /** The kind of value, for error messages: "a tool name". */
  readonly expects: string;
  /** Example values. Error messages quote the first ones. */
  readonly examples: readonly string[];
  /** Values to offer: all of a short list, otherwise some. */
  readonly suggestions: readonly Suggestion[];
  /**
   * Returns a row's value as its number in the log's string pool; 0 for none. Only for keys whose values are completed
   * from the log.
   */
  readonly numberOf?: (subject: FilterSubject, index: number) => number;
  /** More values to offer, from the log. */
  readonly logValues?: (subject: FilterSubject) => readonly string[];
  /** True if the values are numbers, which are completed only after the key. */
  readonly numeric?: true;
  /** True if the value selects rows that are otherwise hidden: HTTP details and notes. */
  readonly showsHidden: (value: FieldValue) => boolean;
  /** Returns an error message for an invalid value, with valid examples; undefined for a valid value. */
  readonly faultOf: (value: FieldValue) => string | undefined;
  /** Returns the row test for a valid value. */
  readonly testFor: (value: FieldValue, subject: FilterSubject) => RowTest;
}

interface FoundProblem {
  readonly rule: string;
  readonly severity: string;
}

/** The problems found in a log. */
export interface FoundProblems {
  readonly all: readonly FoundProblem[];
  /** Returns the problems of one frame. */
  of(seq: number): readonly FoundProblem[];
  /** True if the result in a frame breaks its schema. Its row shows an error. */
  hasInvalidResult(seq: number): boolean;
}

/** Row tests for regular expressions, whose results may not be known yet. */
export interface RegexResults {
  testFor(expression: RegexSource): RowMatcher;
}

/** The data that filters are tested against. */
export interface FilterSubject {
  readonly log: Log;
  readonly problems: FoundProblems;
  /** Absent without telemetry, and until it has been read. */
  readonly spans?: Pick<SpanIndex, 'causeOf'> | undefined;
}
