import type { CutMessage } from '@/lib/wire/frame';
import type { FrameTexts } from './message-table';

/**
 * Characters of texts that are held at least. Answers are read in the turn in which they come, which has 128 KiB. More
 * would survive until they are costly garbage. A longer text is held until the next ones fill as much.
 */
const RECENT_CHARS = 256 * 1024;

/** Holds the newest texts of a live session, whose answers are read soon after they come. Older ones are empty. */
export class RecentTexts implements FrameTexts {
  #newest = new Map<number, string | CutMessage>();
  #older = new Map<number, string | CutMessage>();
  #chars = 0;

  addText(seq: number, text: string | CutMessage): void {
    if (this.#chars >= RECENT_CHARS) {
      this.#older = this.#newest;
      this.#newest = new Map();
      this.#chars = 0;
    }
    this.#newest.set(seq, text);
    this.#chars += typeof text === 'string' ? text.length : text.text.length;
  }

  textOf(seq: number): string | CutMessage {
    return this.#newest.get(seq) ?? this.#older.get(seq) ?? '';
  }
}
