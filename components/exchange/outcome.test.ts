import { describe, expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { errorMeaning } from './error-response';
import { responseOf, shownOutcome } from './outcome';

const encoder = new TextEncoder();

/** A log of one request of ours and one answer. */
function exchange(answer: unknown) {
  const log = new Log('c1');
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } };
  const frames = [request, answer].map((message, index) => ({
    seq: index + 1,
    time: index * 1000,
    direction: index === 0 ? ('to-server' as const) : ('to-client' as const),
    channel: 'protocol' as const,
    flags: 0,
    bytes: encoder.encode(JSON.stringify(message)),
  }));
  log.append(frames);
  const found = log.exchange(1)!;
  const said = responseOf(log, found);
  return { found, answer: said, outcome: shownOutcome(found, { answer: said }) };
}

describe('outcomeOf', () => {
  test.each([
    [{ id: 1, result: { content: [] } }, 'ok'],
    [{ id: 1, result: { content: [], resultType: 'complete' } }, 'ok'],
    [{ id: 1, result: { content: [], isError: true } }, 'isError'],
    [{ id: 1, result: { resultType: 'input_required', inputRequests: {} } }, 'input required'],
    [{ id: 1, result: { resultType: 'dance' } }, 'resultType "dance"'],
    [{ id: 1, error: { code: -32602, message: 'no' } }, 'error −32602'],
    [{ id: 1, error: 'no' }, 'error'],
    [{ id: 2, result: {} }, 'unmatched'],
    [{ method: 'notifications/message' }, 'in flight'],
  ])('%j is %s', (answer, word) => {
    expect(exchange({ jsonrpc: '2.0', ...answer }).outcome.word).toBe(word);
  });

  test('finds the response in a batch', () => {
    const batch = [
      { jsonrpc: '2.0', id: '1', result: 'other' },
      { jsonrpc: '2.0', id: 1, result: 'ours' },
    ];
    expect(exchange(batch).answer?.result?.value).toBe('ours');
  });
});

test('says that a request was dropped, not that it is in flight', () => {
  const { found, answer } = exchange({ jsonrpc: '2.0', method: 'notifications/message' });
  expect(shownOutcome(found, { answer, dropped: true }).word).toBe('dropped');
});

test('shows a result that breaks its schema as an error, and keeps isError', () => {
  const invalid = { id: 1, field: 'content', sentence: 'Invalid result: `content` is missing', more: 0 };
  const word = (result: object) => {
    const { found, answer } = exchange({ jsonrpc: '2.0', id: 1, result });
    return shownOutcome(found, { answer, invalid }).word;
  };
  expect(word({})).toBe('error');
  expect(word({ isError: true })).toBe('isError');
});

test('explains a missing response by the exit of the process or the failure of HTTP', () => {
  const lost = { ...exchange({ jsonrpc: '2.0', method: 'notifications/message' }).found, status: 'lost' } as const;
  expect(shownOutcome(lost, { answer: undefined }).about).toBe('The server exited before it responded.');
  const broken = shownOutcome(lost, {
    answer: undefined,
    loss: { status: undefined, reason: 'The connection was refused.' },
  });
  expect(broken.word).toBe('no response');
  expect(broken.about).toContain('The connection was refused.');
  expect(broken.about).not.toContain('stderr');
  const answered = { status: 404, reason: 'The server answered HTTP 404.' };
  expect(shownOutcome(lost, { answer: undefined, loss: answered })).toMatchObject({
    word: 'HTTP 404',
    about: 'The server answered HTTP 404. See the request’s frames in the log.',
  });
});

test('shows a request with an unmatched response as unmatched, not as in flight', () => {
  const { found } = exchange({ jsonrpc: '2.0', id: 2, result: {} });
  const pending = { ...found, status: 'pending', unmatchedSeq: 3 } as const;
  expect(shownOutcome(pending, { answer: undefined })).toMatchObject({ tone: 'warn', word: 'unmatched' });
  expect(shownOutcome({ ...pending, status: 'lost' }, { answer: undefined }).about).toContain('No matching response');
});

test('says that a request in a lost session was not run, and what to do', () => {
  const refused = { ...exchange({ jsonrpc: '2.0', id: 2, result: {} }).found, status: 'refused' } as const;
  expect(shownOutcome(refused, { answer: undefined, sessionLost: true })).toMatchObject({
    word: 'session lost',
    about: expect.stringContaining('Send it again'),
  });
});

test('explains known error codes and invalid ones', () => {
  expect(errorMeaning(-32602)).toBe('Invalid params');
  expect(errorMeaning(-32050)).toContain('Defined by the server');
  expect(errorMeaning('x')).toContain('Invalid code');
});
