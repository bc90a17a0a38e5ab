/** Names the recordings of a check: a file for each session. */
export class SessionRecordings {
  /** Files that sessions were recorded in, in order. */
  readonly files: string[] = [];
  /** True if they stay, so that reports name them. */
  readonly areKept: boolean;
  readonly #first: string;

  /** `first`: a path that ends in `.mcpr.jsonl`. */
  constructor(first: string, areKept = true) {
    this.#first = first;
    this.areKept = areKept;
  }

  /** Returns the file for the next session. */
  next(): string {
    const file = numberedPath(this.#first, this.files.length + 1);
    this.files.push(file);
    return file;
  }
}

/** Adds a number to a path from the second file on: `a.mcpr.jsonl`, `a-2.mcpr.jsonl`. */
export function numberedPath(path: string, number: number): string {
  return number === 1 ? path : path.replace(/(?=(?:\.mcpr\.jsonl|\.html?)$)/, `-${number}`);
}
