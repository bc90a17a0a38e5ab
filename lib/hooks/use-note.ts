import { useRef, useState } from 'react';
import type { Log } from '@/lib/store/log';
import type { Note } from '@/lib/store/notes';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './use-client';
import { useLogState } from './use-log';

const NONE: Note = { text: '', bookmark: false };

/** The note on a frame, and how to change it. */
export interface NoteOfFrame {
  /** Without text and bookmark if there is none. */
  readonly note: Note;
  /** Resolves to true once the log has it; what `changes` leaves out stays. */
  readonly set: (changes: Partial<Note>) => Promise<boolean>;
  /** Why the newest change was not made. */
  readonly failure: Failure | undefined;
  /** It is being written. */
  readonly editing: boolean;
  readonly edit: (editing: boolean) => void;
}

/** The note on a frame, and how to change it: notes are part of the log, and of its recording. */
export function useNote(log: Log, seq: number): NoteOfFrame {
  const client = useClient();
  const note = useLogState(log, ({ notes }) => notes.notes.get(seq)) ?? NONE;
  // Which frame these are about, since another one may be selected.
  const [failure, setFailure] = useState<{ readonly seq: number; readonly failure: Failure }>();
  const asked = useRef<{ readonly seq: number; readonly instead: Note; readonly note: Note }>(undefined);
  const [edited, setEdited] = useState<number>();
  return {
    note,
    failure: failure?.seq === seq ? failure.failure : undefined,
    editing: edited === seq,
    edit: (editing) => setEdited(editing ? seq : undefined),
    set: async (changes) => {
      setFailure(undefined);
      // What was asked for before counts, until the log has it.
      const before = asked.current?.seq === seq && asked.current.instead === note ? asked.current.note : note;
      const { text, bookmark } = { ...before, ...changes };
      asked.current = { seq, instead: note, note: { text, bookmark } };
      try {
        await client.send({ type: 'note', connection: log.connection, on: seq, text, bookmark });
        return true;
      } catch (error) {
        asked.current = undefined;
        setFailure({ seq, failure: error as Failure });
        return false;
      }
    },
  };
}
