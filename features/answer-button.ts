import type { Log } from '@/lib/store/log';

/** A button below a finished answer of a model. */
export interface AnswerButtonProps {
  /** The log of the chat. */
  readonly log: Log;
  /** Id of the answer. */
  readonly turn: string;
  readonly className?: string;
}
