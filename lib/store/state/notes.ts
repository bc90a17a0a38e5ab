import type { FrameNote } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

export const NOTED_FRAMES = 5000;

/** What a person says of a frame. Of a recording it may be anybody's text. */
export interface Note {
  /** '' if it is a bookmark alone. */
  readonly text: string;
  readonly bookmark: boolean;
}

/** What people say of a log. */
export interface NotesState {
  /** By the seq that they are on. */
  readonly notes: ReadonlyMap<number, Note>;
  /** Frames that came in afterwards and have no row: notes, those that are replaced included, and what stands for a recording's end or a missing frame. */
  readonly frames: number;
  /** What the recording as a whole is called, and what is said of it; '' is nothing. */
  readonly about: { readonly name: string; readonly text: string };
}

const NONE: NotesState = { notes: new Map(), frames: 0, about: { name: '', text: '' } };

/** The notes of a log, at most `NOTED_FRAMES`: the newest on each frame. */
export class Notes {
  readonly #notes = new Map<number, Note>();
  #frames = 0;
  #about = NONE.about;
  #state: NotesState | undefined = NONE;

  get state(): NotesState {
    this.#state ??= { notes: new Map(this.#notes), frames: this.#frames, about: this.#about };
    return this.#state;
  }

  /** The note on a frame; the same object until there is another. */
  noteOn(seq: number): Note | undefined {
    return this.#notes.get(seq);
  }

  /** Takes in a frame with a note. */
  addNote({ on, text, bookmark }: FrameNote): void {
    this.#frames++;
    this.#state = undefined;
    if (text === '' && !bookmark) this.#notes.delete(on);
    else if (this.#notes.has(on) || this.#notes.size < NOTED_FRAMES) {
      this.#notes.set(on, { text: text.slice(0, LIMITS.noteChars), bookmark });
    }
  }

  /** Takes in what stands, without a row, for something that a recording has not. */
  addPlaceholder(): void {
    this.#frames++;
    this.#state = undefined;
  }

  /** Takes in a frame about the whole. */
  setRecordingNote({ name, text }: NotesState['about']): void {
    this.#frames++;
    this.#state = undefined;
    this.#about = { name: name.slice(0, LIMITS.recordingNameChars), text: text.slice(0, LIMITS.noteChars) };
  }
}

/** The bookmarked frame after `seq`, or before it; undefined if there is none. */
export function nextBookmark({ notes }: NotesState, seq: number, step: 1 | -1): number | undefined {
  let found: number | undefined;
  for (const [on, { bookmark }] of notes) {
    if (bookmark && (on - seq) * step > 0 && (found === undefined || (found - on) * step > 0)) found = on;
  }
  return found;
}
