import type { FrameNote, LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

/** Frames with notes per log, which bounds hostile recordings. */
export const NOTED_FRAMES = 5000;

/** A person's note on a frame. In a recording, its author is unknown. */
export interface Note {
  /** '' for a bookmark without text. */
  readonly text: string;
  readonly bookmark: boolean;
}

/** Notes, bookmarks and the description of a log. */
export interface NotesState {
  /** Notes by the seq of their frame. */
  readonly notes: ReadonlyMap<number, Note>;
  /** Number of frames that are not traffic: notes, including replaced ones, and placeholders. */
  readonly frames: number;
  /** Name and description of the recording; '' if none. */
  readonly about: { readonly name: string; readonly text: string };
}

const NONE: NotesState = { notes: new Map(), frames: 0, about: { name: '', text: '' } };

/** The newest note on each frame, for at most `NOTED_FRAMES` frames. */
export class Notes {
  readonly #notes = new Map<number, Note>();
  #frames = 0;
  #about = NONE.about;
  #state: NotesState | undefined = NONE;

  get state(): NotesState {
    this.#state ??= { notes: new Map(this.#notes), frames: this.#frames, about: this.#about };
    return this.#state;
  }

  /** Returns the note on a frame. */
  noteOn(seq: number): Note | undefined {
    return this.#notes.get(seq);
  }

  /** Adds a frame that is not traffic: a note, the description of the recording, or a placeholder. */
  add(event: LifecycleEvent): void {
    this.#frames++;
    this.#state = undefined;
    if (event.event === 'note') this.#setNote(event);
    else if (event.event === 'about')
      this.#about = {
        name: event.name.slice(0, LIMITS.recordingNameChars),
        text: event.text.slice(0, LIMITS.noteChars),
      };
  }

  #setNote({ on, text, bookmark }: FrameNote): void {
    if (text === '' && !bookmark) this.#notes.delete(on);
    else if (this.#notes.has(on) || this.#notes.size < NOTED_FRAMES) {
      this.#notes.set(on, { text: text.slice(0, LIMITS.noteChars), bookmark });
    }
  }
}

/** Returns the next bookmarked frame after or before `seq`. */
export function nextBookmark({ notes }: NotesState, seq: number, step: 1 | -1): number | undefined {
  let found: number | undefined;
  for (const [on, { bookmark }] of notes) {
    if (bookmark && (on - seq) * step > 0 && (found === undefined || (found - on) * step > 0)) found = on;
  }
  return found;
}
