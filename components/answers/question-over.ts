import { useDocumentDraft } from '@/components/form/use-document';
import { useIsAnsweredHere } from '@/lib/hooks/answered-questions';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { Question } from '@/lib/store/state/state';
import { formatDuration, formatElapsed } from '@/lib/wire/format';

/** A question that is gone while its form is in view. */
export interface Over {
  /** Says why, and after which time. */
  readonly sentence: string;
  /** The server can still get the answer, although it does not wait for it. */
  readonly canSend: boolean;
  /** Nobody here caused it, so the form stays also if nothing was typed. */
  readonly isSudden: boolean;
}

/** The same of a form that stays. */
export interface OverForm extends Over {
  readonly isTyped: boolean;
}

/** Returns the key of the draft answer to a question. */
export function answerDraftKey(log: Log, key: string): string {
  return JSON.stringify(['inbox', log.connection, log.whole.state.connection.start?.at, key]);
}

/** Returns true while a connection takes answers. Without a handshake the user answers with raw messages. */
export function useTakesAnswers(log: Log): boolean {
  return useLogState(
    log.whole,
    ({ connection }) => connection.state === 'open' && connection.start?.protocol !== 'none',
  );
}

/**
 * Returns why a question is gone, if its form stays: somebody has typed there, or it was in view and the server or the
 * connection ended it. undefined for a question that waits, or that the person answered here.
 */
export function useOver(log: Log, question: Question | undefined, wasInView: boolean): OverForm | undefined {
  const isOpen = useTakesAnswers(log);
  const isAnsweredHere = useIsAnsweredHere(log.connection, question?.key);
  const isTyped = useDocumentDraft(answerDraftKey(log, question?.key ?? '')) !== undefined;
  if (question === undefined || isAnsweredHere || log !== log.whole) return undefined;
  const over = overOf(log, question, isOpen);
  return over && (isTyped || (wasInView && over.isSudden)) ? { ...over, isTyped } : undefined;
}

/** Returns why a question is gone; undefined while it waits. `isOpen`: messages can be sent. */
export function overOf(log: Log, question: Question, isOpen: boolean): Over | undefined {
  const { seq, endSeq, status, input } = question;
  if (status === 'waiting') return undefined;
  const time = endSeq === undefined ? '' : waited(log.columns.time(endSeq - 1) - log.columns.time(seq - 1));
  const over = (what: string, of: Partial<Over> = {}): Over => ({
    canSend: false,
    isSudden: false,
    ...of,
    sentence: time === '' ? what : `${what} after ${time}`,
  });
  if (status === 'lost') {
    const ended = time === '' ? '' : ` ${time} after this question`;
    return { sentence: `The connection ended${ended}`, canSend: false, isSudden: true };
  }
  if (status === 'answered') return over('This question was answered elsewhere');
  if (status === 'refused') return over('mcp-inspect answered with an error');
  const isServers = endSeq !== undefined && log.row(endSeq - 1).direction === 'to-client' && input === undefined;
  return isServers
    ? over('The server withdrew this question', { isSudden: true, canSend: isOpen })
    : over('The call of this question ended');
}

/** Returns µs in whole seconds, or below a second with a fitting unit. */
function waited(us: number): string {
  return formatElapsed(us + 500_000) || formatDuration(us);
}
