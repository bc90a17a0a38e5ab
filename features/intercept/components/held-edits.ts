import { useCallback } from 'react';
import { hasSecrets } from '@/components/form/secrets';
import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { sharedByLog } from '@/lib/hooks/log';
import { tryParseJson } from '@/lib/json/exact';
import type { Log } from '@/lib/store/log';
import { entryOf } from '@/lib/wire/command';
import { NEW_RULE } from './rule-draft';

/** The part of a held message, or of its answer, that the user edits. */
export type Instead = 'Message' | 'Result' | 'Error';

/** The input of the user for a held message. */
export interface HeldEdit {
  readonly instead: Instead;
  /** The changed message; undefined while it is unchanged. */
  readonly text?: string;
  /** Shows the message as it was sent, although it could be formatted. */
  readonly asSent?: boolean;
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

/** Edits that are kept per session. They are small, since large messages can't be edited. */
const MOST_EDITS = 200;

/** In memory, because messages may hold secrets. Those without are also kept through a reload. */
const EDITS = sharedByLog<ReadonlyMap<number, HeldEdit>>(new Map());

/** Returns the log of a tapped session's first file, since further files go on with its holds; otherwise the log. */
function useSessionLog(log: Log): Log {
  const client = useClient();
  const { connections } = useConnections();
  const own = connections.find(({ id }) => id === log.connection);
  return own?.recording?.tap ? client.log(entryOf(own)) : log;
}

/** The text that the user typed for a held message. It stays when another message is shown. */
interface HeldDraft {
  readonly edit: HeldEdit;
  readonly change: (changes: Partial<HeldEdit>) => void;
  /** Called once the message is decided, so that nothing stays in the tab's storage. */
  readonly forget: () => void;
}

/** Returns what the user typed for a held message, and how to change it. */
export function useHeldEdit(log: Log, hold: number): HeldDraft {
  const root = useSessionLog(log);
  const edits = EDITS.use(root);
  const [kept, keep] = useDraft<HeldEdit | null>(`held ${root.connection} ${hold}`, null);
  const edit = edits.get(hold) ?? kept ?? UNTOUCHED;
  const change = useCallback(
    (changes: Partial<HeldEdit>) => {
      const current = EDITS.get(root);
      const next = new Map(current);
      next.delete(hold);
      const changed = { ...edit, ...changes };
      next.set(hold, changed);
      const [oldest] = next.keys();
      if (next.size > MOST_EDITS) next.delete(oldest!);
      EDITS.set(root, next);
      keep(mayBeKept(changed) ? changed : null);
    },
    [root, hold, edit, keep],
  );
  return { edit, change, forget: () => keep(null) };
}

/** Returns false for an edit whose texts look as if they had secrets. */
function mayBeKept({ text = '', result = '', data }: HeldEdit): boolean {
  return [text, result, data].every((part) => !hasSecrets(part, tryParseJson(part).ok));
}
