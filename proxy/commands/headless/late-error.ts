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
