import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { LaunchLinks, Token } from './launch-links';

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

test('a link that a page asks for leads where the last one led', () => {
  const printed: string[] = [];
  const links = new LaunchLinks(systemClock, 'http://localhost:1/', (note) => printed.push(note));
  links.renew();
  expect(printed.pop()).toMatch(/ http:\/\/localhost:1\/#launch=/);
  const path = 'http://localhost:1/?connection=c1&frame=20#launch=';
  expect(links.newLink('?connection=c1&frame=20').startsWith(path)).toBe(true);
  expect(links.newLink().startsWith(path)).toBe(true);
  // A used link is replaced at once.
  const other = new LaunchLinks(systemClock, 'http://localhost:1/', (note) => printed.push(note));
  const code = other.newLink('?connection=c1').split('#launch=')[1]!;
  return other.redeem(code).then(() => {
    other.renew();
    expect(printed.pop()).toContain(' http://localhost:1/?connection=c1#launch=');
  });
});
