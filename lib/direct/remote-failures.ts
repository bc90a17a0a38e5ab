import { formatBytes } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

/** Why a recording could not be fetched. */
export type RemoteReason = keyof typeof REASONS;

/** Names for a sentence. The URL is none of them, since its query may be a signature. */
interface RemoteFacts {
  readonly host: string;
  /** Origin of the page. */
  readonly origin: string;
  /** Status of the response, if there was one. */
  readonly status: number;
}

interface Sentence {
  readonly message: (facts: RemoteFacts) => string;
  readonly advice: string;
}

const DOWNLOAD = 'Download the file and drop it here.';

const REASONS = {
  unreadable: {
    message: ({ host, origin }) => `${host} does not answer, or does not let pages of ${origin} read its files (CORS).`,
    advice: `Its owner can allow that with Access-Control-Allow-Origin. Or: ${DOWNLOAD.toLowerCase()}`,
  },
  redirect: {
    message: ({ host }) => `${host} redirects to another address, which you did not agree to.`,
    advice: `Ask for a link to the file itself. Or: ${DOWNLOAD.toLowerCase()}`,
  },
  refused: {
    message: ({ host, status }) => `${host} refused to send the file (${status}).`,
    advice: 'A signed link may have expired, so ask for a new one.',
  },
  gone: {
    message: ({ host, status }) => `${host} has no such file (${status}).`,
    advice: 'Check the link, or ask for a new one.',
  },
  empty: { message: ({ host }) => `The file on ${host} is empty.`, advice: 'Ask for the recording again.' },
  status: {
    message: ({ host, status }) => `${host} answered ${status} instead of the file.`,
    advice: 'Try again later, or ask the owner of the host.',
  },
  'no-ranges': {
    message: ({ host }) =>
      `The file is larger than ${formatBytes(LIMITS.wholeRecordingBytes)}, and ${host} does not send parts of it (Range).`,
    advice: `If the host can, its CORS rules have to allow the header Range. Or: ${DOWNLOAD.toLowerCase()}`,
  },
  'no-size': {
    message: ({ host }) => `The file is large, and ${host} hides the size of its parts from this page.`,
    advice: `Its owner can add Content-Range to Access-Control-Expose-Headers. Or: ${DOWNLOAD.toLowerCase()}`,
  },
  'too-large': {
    message: ({ host }) => `The file on ${host} is larger than ${formatBytes(LIMITS.recordingBytes)}.`,
    advice: 'Ask for a part of the recording: `mcp-inspect share FILE --frames A-B --out PART`.',
  },
  compressed: {
    message: ({ host }) => `The file on ${host} is compressed and large, so it can’t be read in parts.`,
    advice: DOWNLOAD,
  },
  changed: {
    message: ({ host }) => `The file on ${host} has changed since it was opened.`,
    advice: 'Close this recording and open the link again.',
  },
  broken: {
    message: ({ host }) => `${host} stopped sending the file.`,
    advice: 'Check the network and try again. A signed link may have expired.',
  },
} satisfies Record<string, Sentence>;

/** Returns the failure for people. */
export function remoteFailure(reason: RemoteReason, facts: RemoteFacts): Failure {
  const { message, advice }: Sentence = REASONS[reason];
  return { code: `remote-${reason}`, message: message(facts), advice };
}

/** Reasons of statuses. 0: a redirect that the browser does not show. */
export function statusReason(status: number): RemoteReason {
  if (status === 0 || (status >= 300 && status < 400)) return 'redirect';
  if (status === 401 || status === 403) return 'refused';
  if (status === 404 || status === 410) return 'gone';
  return status === 416 ? 'empty' : 'status';
}
