import type { Remedy } from '../finding';
import { CERTIFICATES } from './certificates';
import { NETWORK } from './network';
import { CONTENT, HANDSHAKE, REFUSED, VERSION } from './protocol';
import { OTHER_STATUSES, STATUSES } from './statuses';

/** OAuth has said itself what went wrong; the refusal that it began with says less. */
const SIGN_IN: Remedy = {
  code: 'sign-in-failed',
  step: 'authorization',
  find: ({ signIn, exchange, failureSeq }) =>
    signIn && { what: signIn.message, advice: signIn.advice, seq: exchange?.response?.seq ?? failureSeq },
};

/** Whatever else it may be. */
const UNKNOWN: Remedy = {
  code: 'unknown',
  step: 'http',
  find: ({ failure, exchange, failureSeq }) => ({
    what: failure.message,
    advice: failure.advice,
    seq: exchange?.end?.seq ?? failureSeq,
  }),
};

/** Everything that is known to go wrong; the first that finds itself is it. */
export const REMEDIES: readonly Remedy[] = [
  SIGN_IN,
  ...NETWORK,
  ...CERTIFICATES,
  VERSION,
  ...STATUSES,
  REFUSED,
  ...OTHER_STATUSES,
  ...CONTENT,
  ...HANDSHAKE,
  UNKNOWN,
];
