import { expect, test } from 'vitest';
import { formatPart } from './did-words';
import type { Interception } from './intercept';

const CALL = { direction: 'to-server', kind: 'request', delivered: 1 } as const;
const ANSWER = { direction: 'to-client', kind: 'response', delivered: 1 } as const;

test.each<[Interception, string]>([
  [{ ...CALL, did: 'replace', hold: 1, waitedMs: 4200 }, 'Request edited by Hold after 4.20 s'],
  [{ ...CALL, did: 'replace' }, 'Request changed by Hold'],
  [{ ...CALL, did: 'release', waitedMs: 4200 }, 'Request released by Hold after 4.20 s'],
  [{ ...CALL, did: 'delay', waitedMs: 3000 }, 'Request delayed by Hold after 3.00 s'],
  [{ ...CALL, did: 'error', made: true }, 'Request answered with an error by Hold'],
  [{ ...ANSWER, did: 'replace', hold: 1 }, 'Response edited by Hold'],
  [{ ...ANSWER, did: 'overlay' }, 'Response changed by the overlay'],
])('says what was done to a part of a call: %j: %s', (event, words) => expect(formatPart(event)).toBe(words));
