import { useCallback } from 'react';
import { sharedByLog } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { NEW_RULE } from './rule-draft';

/** The part of a held message, or of its answer, that the user edits. */
export type Instead = 'Message' | 'Result' | 'Error';

/** The input of the user for a held message. */
export interface HeldEdit {
  readonly instead: Instead;
  /** The changed message; undefined while it is unchanged. */
  readonly text?: string;
  /** Joins the lines of a message, since a message must be one line. */
  readonly joins: boolean;
  /** The answer with a result, as JSON text. undefined: the usual one. */
  readonly result?: string;
  readonly code: string;
  readonly message: string;
  readonly data: string;
  /** Delay in ms; undefined while its field is closed. */
  readonly delay?: string;
}

const UNTOUCHED: HeldEdit = {
  instead: 'Message',
  joins: true,
  code: NEW_RULE.code,
  message: NEW_RULE.message,
  data: NEW_RULE.data,
};

/** Edits that are kept per log. They are small, since large messages can't be edited. */
const MOST_EDITS = 200;

/** Kept in memory only: messages may hold secrets. */
const EDITS = sharedByLog<ReadonlyMap<number, HeldEdit>>(new Map());

/** Returns what the user typed for a held message, and how to change it. It stays when another message is shown. */
export function useHeldEdit(log: Log, hold: number): [HeldEdit, (changes: Partial<HeldEdit>) => void] {
  const edits = EDITS.use(log);
  const change = useCallback(
    (changes: Partial<HeldEdit>) => {
      const current = EDITS.get(log);
      const next = new Map(current);
      next.delete(hold);
      next.set(hold, { ...(current.get(hold) ?? UNTOUCHED), ...changes });
      const [oldest] = next.keys();
      if (next.size > MOST_EDITS) next.delete(oldest!);
      EDITS.set(log, next);
    },
    [log, hold],
  );
  return [edits.get(hold) ?? UNTOUCHED, change];
}
