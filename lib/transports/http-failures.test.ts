import { expect, test } from 'vitest';
import { statusFailure } from './http-failures';

test('no advice names the message log, which a terminal does not have', () => {
  for (let status = 300; status < 600; status++) {
    const { message, advice } = statusFailure(status);
    expect(message).toContain(`HTTP ${status}`);
    expect(advice).not.toMatch(/message log/);
  }
});
