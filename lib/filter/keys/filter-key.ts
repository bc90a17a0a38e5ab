import type { FieldValue } from '../ast';
import type { Subject } from '../subject';

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
  readonly numberOf?: (subject: Subject, index: number) => number;
  /** Other values worth offering. */
  readonly words?: (subject: Subject) => readonly string[];
  /** Its values say nothing without the key: numbers. */
  readonly bare?: true;
  /** True if this value asks for rows that are hidden else: those that only tell how messages travelled, and notes. */
  readonly asksForHidden: (value: FieldValue) => boolean;
  /** What is wrong with a value and would be right; undefined if it can be read. */
  readonly faultOf: (value: FieldValue) => string | undefined;
  /** The test for a value that has no fault. Numbers and strings that the log has already seen may be looked at now. */
  readonly testFor: (value: FieldValue, subject: Subject) => RowTest;
}
