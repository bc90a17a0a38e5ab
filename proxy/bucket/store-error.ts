import type { Failure } from '@/lib/wire/lifecycle';

/** Why a request to the store failed. */
export type StoreErrorCode =
  | 'store-address'
  | 'store-credentials'
  | 'store-denied'
  | 'store-missing'
  | 'store-exists'
  | 'store-region'
  | 'store-clock'
  | 'store-busy'
  | 'store-truncated'
  | 'store-damaged'
  | 'store-refused'
  | 'store-unreachable'
  | 'store-cancelled'
  | 'upload-refused';

/** A failure of the store: one sentence that says what happened, and what to do. Never quotes a credential. */
export class StoreError extends Error implements Failure {
  readonly code: StoreErrorCode;
  readonly advice: string;
  /** True if the same request may succeed later, so an upload that waits in the outbox stays there. */
  readonly isPassing: boolean;

  constructor(code: StoreErrorCode, message: string, advice: string, isPassing = false) {
    super(message);
    this.name = 'StoreError';
    this.code = code;
    this.advice = advice;
    this.isPassing = isPassing;
  }
}

/** The work was cancelled by its signal. */
export function storeCancelled(): StoreError {
  return new StoreError('store-cancelled', 'The transfer was cancelled.', 'Start it again.', true);
}
