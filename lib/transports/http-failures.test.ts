import { expect, test } from 'vitest';
import { noAnswer, refusedAnswer, sessionForgotten, statusFailure } from './http-failures';

test('no advice names the message log, which a terminal does not have', () => {
  for (let status = 300; status < 600; status++) {
    const { message, advice } = statusFailure(status);
    expect(message).toContain(`HTTP ${status}`);
    expect(advice).not.toMatch(/message log/);
  }
});

test('quotes a text that refuses the session', () => {
  const { message } = sessionForgotten(400, undefined, ' No valid session ID provided\n');
  expect(message).toMatch(/did not run this request\. The server answered HTTP 400: "No valid session ID provided"\.$/);
  expect(sessionForgotten(404, undefined, 'Gone').message).toContain('nothing found');
});

test.each([301, 302, 307])('HTTP %i without a Location header does not point to one', (status) => {
  const answer = (location: readonly (readonly [string, string])[]) =>
    refusedAnswer({ status, headers: location, url: 'http://h/mcp', body: (async function* () {})() }, []);
  expect(answer([])).toMatchObject({
    message: `The server answered HTTP ${status} without a Location header.`,
    advice: 'Check the log of the server, or of a proxy in front of it.',
  });
  expect(answer([['Location', '/x']]).advice).toContain('Location header');
});

test('a missing answer names its request, and only a call may have run', () => {
  expect(noAnswer(200, 'text/event-stream', 'initialize')).toMatchObject({
    message: 'The event stream that answers initialize (HTTP 200) ended without a response.',
    advice: 'Check the log of the server.',
  });
  expect(noAnswer(202, '', 'tools/call')).toMatchObject({
    message: 'The HTTP response to tools/call (HTTP 202) contains no answer to it.',
    advice: expect.stringContaining('may have run it'),
  });
  expect(noAnswer(200, 'application/json').message).toContain('to the request');
});
