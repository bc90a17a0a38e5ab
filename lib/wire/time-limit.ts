/**
 * Runs work that may never end, such as a pattern of a stranger on a text of another, and stops it after so many
 * milliseconds. Returns false if it was stopped: its data is then inconsistent. Throws what the work throws.
 */
export type TimeLimit = (ms: number, work: () => void) => boolean;
