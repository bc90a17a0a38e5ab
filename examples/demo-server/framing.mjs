// @ts-check

const LINE_FEED = 0x0a;

/** Cuts a byte stream into lines. Works on bytes, so that a character split between two chunks comes out whole. */
export class LineReader {
  /** @type {Buffer[]} Chunks of the line that has no end yet. */
  #pending = [];
  #onLine;

  /** @param {(line: string) => void} onLine Called for each line that isn't blank, without its line ending. */
  constructor(onLine) {
    this.#onLine = onLine;
  }

  /** @param {Buffer} chunk */
  push(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#pending.push(chunk.subarray(start, end));
      const line = Buffer.concat(this.#pending).toString('utf8').trim();
      this.#pending = [];
      start = end + 1;
      if (line !== '') this.#onLine(line);
    }
    if (start < chunk.length) this.#pending.push(chunk.subarray(start));
  }
}
