import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Token } from './launch-links';

test('matches only itself, for texts of any length', () => {
  const token = new Token(32);
  const text = token.reveal();
  expect(text).toMatch(/^[\w-]{43}$/);
  expect(token.matches(text)).toBe(true);
  for (const wrong of ['', 'x', text.slice(1), `${text}x`, ` ${text}`, text.toUpperCase(), 'x'.repeat(100_000)]) {
    expect(token.matches(wrong)).toBe(false);
  }
});

test('all tokens differ', () => {
  expect(new Token(16).reveal()).not.toBe(new Token(16).reveal());
});

test('attack: printing the object, as a log line or a crash report would, does not print the secret', () => {
  const token = new Token(32);
  const printed = [inspect(token, { depth: 9, showHidden: true }), JSON.stringify(token), String(token)];
  expect(printed.join('\n')).not.toContain(token.reveal());
});
