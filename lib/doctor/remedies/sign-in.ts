import type { Remedy } from '../finding';

/** OAuth has said itself what went wrong; the refusal that it began with says less. */
export const SIGN_IN: Remedy = {
  code: 'sign-in-failed',
  step: 'authorization',
  find: ({ signIn, exchange, failureSeq }) =>
    signIn && { what: signIn.message, advice: signIn.advice, seq: exchange?.response?.seq ?? failureSeq },
};
