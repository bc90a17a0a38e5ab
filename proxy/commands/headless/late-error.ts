import type { Failure } from '@/lib/wire/lifecycle';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';

/** The error of a server that did not respond in time. */
export class LateError extends ExitError {
  /** The option that allows more time. */
  readonly option: '--timeout' | '--request-timeout';

  constructor(sentence: string, option: LateError['option']) {
    super(EXIT.timeout, sentence);
    this.option = option;
  }
}

/** The error of a request that was not sent, because the time of the whole command was over. */
export class TimeOverError extends LateError {}

/** The error of a request whose answer has another id, or is not a message. */
export class UnusableAnswer extends ExitError {
  constructor({ message, advice }: Failure) {
    super(EXIT.serverError, `${message} ${advice}`);
  }
}
