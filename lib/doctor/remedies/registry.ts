import type { Remedy } from '../finding';
import { CERTIFICATES } from './certificates';
import { HTTP_PROXY } from './http-proxy';
import { NETWORK } from './network';
import { CONTENT, HANDSHAKE, REFUSED, VERSION } from './protocol';
import { OTHER_STATUSES, STATUSES } from './statuses';

/** A failed OAuth sign-in, which explains more than the 401 before it. */
const SIGN_IN: Remedy = {
  code: 'sign-in-failed',
  step: 'authorization',
  find: ({ signIn, exchange, failureSeq }) =>
    signIn && { what: signIn.message, advice: signIn.advice, seq: exchange?.response?.seq ?? failureSeq },
};

/** Any other failure. */
const UNKNOWN: Remedy = {
  code: 'unknown',
  step: 'http',
  find: ({ failure, exchange, failureSeq }) => ({
    what: failure.message,
    advice: failure.advice,
    seq: exchange?.end?.seq ?? failureSeq,
  }),
};

/** Every known kind of failure. The first one that matches is the diagnosis. */
export const REMEDIES: readonly Remedy[] = [
  SIGN_IN,
  ...HTTP_PROXY,
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
