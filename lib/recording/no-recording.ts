import type { Failure } from '@/lib/wire/lifecycle';

/** A recording that is asked for has gone from where recordings are kept. */
export const NO_RECORDING: Failure = {
  code: 'no-recording',
  message: 'This recording is not there any more.',
  advice: 'Open the list again to see what there is.',
};
