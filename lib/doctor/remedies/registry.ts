import { brokenAnswerFinding } from '../broken-answer';
import type { Remedy } from '../finding';
import { CERTIFICATES } from './certificates';
import { ENDPOINTS, STREAMS } from './event-streams';
import { HTTP_PROXY } from './http-proxy';
import { NETWORK } from './network';
import { CONTENT, HANDSHAKE, REFUSED, VERSION } from './protocol';
import { REDIRECTS } from './redirects';
import { HTTP_STATUSES, OTHER_STATUSES, quotedAnswer } from './statuses';

/** The doctor reads the metadata of a sign-in, and does not begin it. */
const SIGN_IN_NEEDED: Remedy = {
  code: 'sign-in-needed',
  step: 'authorization',
  find: ({ signIn, exchange, failureSeq }) =>
    signIn?.code === 'sign-in-needed'
      ? { what: signIn.message, advice: signIn.advice, seq: exchange?.response?.seq ?? failureSeq }
      : undefined,
};

/** A failed OAuth sign-in, which explains more than the 401 before it. */
const SIGN_IN: Remedy = {
  code: 'sign-in-failed',
  step: 'authorization',
  find: (facts) => {
    const { signIn, exchange, failureSeq } = facts;
    const said = signIn?.code === 'authorization-unexplained' ? quotedAnswer(facts) : '';
    return (
      signIn && {
        what: `${signIn.message}${said && ` It said${said}.`}`,
        advice: signIn.advice,
        seq: exchange?.response?.seq ?? failureSeq,
      }
    );
  },
};

/** A sign-in that a person has not done yet. The server did answer: it asked for that. */
const SIGN_IN_PENDING: Remedy = {
  code: 'sign-in-pending',
  step: 'authorization',
  find: ({ waitsFor, failure, exchange, status, failureSeq }) => {
    if (failure.code !== 'timeout' || (!waitsFor && status !== 401)) return undefined;
    const who = status === undefined ? 'The server' : `The server answered HTTP ${status}: it`;
    return {
      what: waitsFor
        ? `${who} requires a sign-in at ${waitsFor.issuer}. Nobody signed in within the time.`
        : `${who} requires a sign-in, and the time was over before that was ready.`,
      advice: `${waitsFor ? 'Open the address for the sign-in. ' : ''}${failure.advice}`,
      seq: exchange?.response?.seq ?? failureSeq,
    };
  },
};

/** A text that looks like the answer, but is not valid. */
const ANSWER_BROKEN: Remedy = {
  code: 'answer-broken',
  step: 'mcp',
  find: ({ unmatched }) => unmatched && brokenAnswerFinding(unmatched),
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
  SIGN_IN_NEEDED,
  SIGN_IN,
  SIGN_IN_PENDING,
  ...HTTP_PROXY,
  ...NETWORK,
  ...CERTIFICATES,
  VERSION,
  ...ENDPOINTS,
  ...REDIRECTS,
  ...HTTP_STATUSES,
  REFUSED,
  ...OTHER_STATUSES,
  // A refusal explains itself, also if its id is null.
  ANSWER_BROKEN,
  ...CONTENT,
  ...STREAMS,
  ...HANDSHAKE,
  UNKNOWN,
];
