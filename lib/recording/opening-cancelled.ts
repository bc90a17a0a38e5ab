import type { Failure } from '@/lib/wire/lifecycle';

/** A person cancelled the opening of a file. */
export const OPENING_CANCELLED: Failure = {
  code: 'cancelled',
  message: 'Opening the file was cancelled.',
  advice: 'Open it again.',
};
