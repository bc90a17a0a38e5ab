/** What is known of the recording of a live connection. */
export interface RecordedFacts {
  readonly isRecorded: boolean;
  /** The server may still say something. */
  readonly isLive: boolean;
  /** Path of its file, where somebody knows it. */
  readonly file: string | undefined;
  /** A sentence that says why nothing more is written. */
  readonly failure: string | undefined;
}

/** What is shown of it: a word or two, and the sentence behind them. */
export interface RecordedWords {
  readonly tone: 'calm' | 'warn';
  readonly isWritten: boolean;
  readonly words: string;
  readonly why: string;
}

/** Whether a connection is recorded, and where. */
export function recordedWords({ isRecorded, isLive, file, failure }: RecordedFacts): RecordedWords {
  if (failure !== undefined) {
    const words = isRecorded ? 'recording failed' : 'not recorded';
    return { tone: 'warn', isWritten: false, words, why: failure };
  }
  if (!isRecorded) return { tone: 'calm', isWritten: false, words: 'not recorded', why: NOTHING_KEPT };
  const where = file === undefined ? '' : ` in ${file}`;
  if (!isLive) return { tone: 'calm', isWritten: false, words: 'recorded', why: `What was said is kept${where}.` };
  return { tone: 'calm', isWritten: true, words: 'recording', why: `What is said is kept${where}.` };
}

const NOTHING_KEPT = 'Nothing of this connection is kept.';
