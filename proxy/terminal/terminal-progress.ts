/** Milliseconds between two looks, which is also what has to go by before there is one. */
const EVERY_MS = 1000;
const CLEAR = '\r\u001b[K';

/** How far something is, on the last line of a terminal: from the second second on, and gone when it is done. `write` writes to the terminal. */
export function terminalProgress(write: (text: string) => void, now: () => number): (share: number) => void {
  let shown = now();
  let isThere = false;
  return (share) => {
    if (share >= 1) {
      if (isThere) write(CLEAR);
      isThere = false;
      shown = now();
    } else if (now() - shown >= EVERY_MS) {
      write(`${CLEAR}${Math.floor(share * 100)} %`);
      isThere = true;
      shown = now();
    }
  };
}
