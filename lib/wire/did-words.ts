import { formatDuration } from './format';
import type { Interception } from './intercept';

/** The treatment of a message, in the fewest words. */
export const DID_WORDS: ReadonlyMap<string, string> = new Map([
  ['release', 'released'],
  ['pass', 'passed on'],
  ['delay', 'delayed'],
  ['drop', 'dropped'],
  ['duplicate', 'duplicated'],
  ['replace', 'changed'],
  ['error', 'answered with an error'],
  ['result', 'answered with a result'],
  ['answer-from', 'answered from a recording'],
  ['cut', 'dropped, stream ended'],
  ['overlay', 'changed by the overlay'],
]);

/** Says what was done to the request or the response of a call: “Request edited by Hold after 4.20 s”. */
export function formatPart({ did, kind, hold, waitedMs }: Interception): string {
  const part = kind === 'response' || kind === 'error' ? 'Response' : 'Request';
  const words = did === 'replace' && hold !== undefined ? 'edited' : (DID_WORDS.get(did) ?? did);
  const by = did === 'overlay' || did === 'answer-from' ? '' : ' by Hold';
  return `${part} ${words}${by}${waitedMs === undefined ? '' : ` after ${formatDuration(waitedMs * 1000)}`}`;
}
