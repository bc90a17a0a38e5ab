/** A tool that was expected, and the tool that the model called in its place. Both as the model sees them. */
export interface Choice {
  readonly expected: string;
  readonly chosen: string;
}

/** Stands for no tool in a confusion matrix. */
export const NO_TOOL = '(none)';
