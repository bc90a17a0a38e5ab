import type { Failure } from '@/lib/wire/lifecycle';

/** Why the proxy could not start listening: a {@link Failure} to throw. */
export class StartError extends Error implements Failure {
  readonly code: string;
  readonly advice: string;

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, { cause });
    this.name = 'StartError';
    this.code = failure.code;
    this.advice = failure.advice;
  }
}
