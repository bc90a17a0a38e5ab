import type { Frame } from '@/lib/wire/frame';
import { printedUrl } from '@/lib/wire/printed-url';

/** Lines of a process that are searched for an address, from its first on. */
const MOST_LINES = 120;
/** Bytes read of a line. */
const READ_BYTES = 2000;
/** How the event of a new process begins. */
const SPAWNED = '{"event":"spawned"';

const decoder = new TextDecoder();

/** The first lines of the newest process on stderr, and on stdout if not MCP. */
export class PrintedLines {
  #lines: string[] = [];

  add({ channel, direction, bytes }: Pick<Frame, 'channel' | 'direction' | 'bytes'>): void {
    if (channel === 'lifecycle') {
      if (textOf(bytes, SPAWNED.length) === SPAWNED) this.#lines = [];
      return;
    }
    if (this.#lines.length === MOST_LINES || direction !== 'to-client') return;
    if (channel !== 'stderr' && channel !== 'protocol') return;
    const text = textOf(bytes, READ_BYTES);
    // A line of stdout that begins like JSON is a message, or wants to be one.
    if (channel === 'stderr' || !/^\s*[[{]/.test(text)) this.#lines.push(text);
  }

  /** The HTTP address of this machine that the process printed; undefined if there is none. */
  get url(): string | undefined {
    return printedUrl(this.#lines);
  }
}

function textOf(bytes: Uint8Array, most: number): string {
  return decoder.decode(bytes.subarray(0, most));
}
