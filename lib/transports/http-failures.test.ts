import { expect, test } from 'vitest';
import { sessionForgotten, statusFailure } from './http-failures';

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
