import type { SkippedChecks } from '@/lib/problems/protocol-state';
import type { FrameTable, RowOf } from './columns';

/** Takes the rows of tables. */
export interface TableSink {
  addRow<T extends FrameTable>(table: T, row: RowOf<T>): void;
}

/** A recording whose tables are built. */
export interface BuilderOptions {
  /** Id of the recording. */
  readonly recording: string;
  /** Its start, in microseconds since 1970; undefined if unknown. */
  readonly startUs: number | undefined;
  /** Frames are missing, so rules that need every frame are off. */
  readonly hasGaps: boolean;
  readonly skippedChecks?: SkippedChecks | undefined;
  /** Called before the result in a frame is checked against its tool's schema, which may take forever, and after. */
  onSchemaCheck?(seq: number | undefined): void;
  /** Frames whose columns are in memory. A test has few. */
  readonly windowFrames?: number;
}
