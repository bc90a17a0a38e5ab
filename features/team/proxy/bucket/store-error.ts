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

/** The answer to a page that asks for the bucket of an mcp-inspect without one. */
export const NO_BUCKET = {
  code: 'no-bucket',
  message: 'This mcp-inspect was started without a bucket.',
  advice: 'Start it with `--s3 from=s3://BUCKET`.',
};
