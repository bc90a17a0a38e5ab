import { describe, expect, test } from 'vitest';
import { PinResultsReader, pinStatus } from './pin-results';

const step = (fields: object) => JSON.stringify({ event: 'pins', ...fields });
const played = (key: string, fields: object = {}) =>
  step({ phase: 'played', key, name: key, verdict: 'same', ms: 1, ...fields });
const read = (...texts: readonly string[]) => {
  const reader = new PinResultsReader();
  for (const text of texts) reader.readEvent(text);
  return reader.results;
};

test('the last outcome of each call counts, and a run has progress until it ends', () => {
  const texts = [step({ phase: 'started', calls: 2 }), played('a'), played('b', { verdict: 'changed' })];
  expect(read(...texts).running).toEqual({ done: 2, of: 2 });
  const { outcomes, running, why } = read(...texts, step({ phase: 'ended', why: 'Stopped.' }), played('b'));
  expect([...outcomes].map(([key, { verdict }]) => [key, verdict])).toEqual([
    ['a', 'same'],
    ['b', 'same'],
  ]);
  expect({ running, why }).toEqual({ running: undefined, why: undefined });
  expect(read(...texts, step({ phase: 'ended', why: 'Stopped.' }))).toMatchObject({ why: 'Stopped.' });
});

test.each([
  'nonsense',
  '{"event":"pins"',
  '{"event":"pins"}',
  '{"event":"note","phase":"played"}',
  step({ phase: 'started', calls: 'x' }),
  played('a', { verdict: 'perfect' }),
  played('a', { seq: -1 }),
  played('a', { differences: [{ kind: 'changed' }] }),
  played('a', { ends: ['x'] }),
  step({ phase: 'ended', why: 1 }),
])('attack: %s of a recording is ignored', (text) => {
  expect(read(text)).toEqual({ outcomes: new Map() });
});

describe('a call stands', () => {
  const outcome = (fields: object) => ({ key: 'k', name: 'n', ms: 1, verdict: 'changed', ...fields }) as const;
  const accepted = (digest: string) => ({ accepted: { kind: 'result', chars: 1, digest } }) as const;
  test.each([
    ['unplayed', accepted('1'), undefined],
    ['changed', accepted('1'), outcome({ accepted: '1', answer: '2' })],
    ['same', accepted('2'), outcome({ accepted: '1', answer: '2' })],
    ['outdated', accepted('3'), outcome({ accepted: '1', answer: '2' })],
    ['outdated', {}, outcome({ accepted: '1', answer: '2' })],
    ['new', {}, outcome({ verdict: 'new', answer: '2' })],
    ['same', accepted('2'), outcome({ verdict: 'new', answer: '2' })],
    ['broken', accepted('1'), outcome({ verdict: 'broken', accepted: '1' })],
  ] as const)('%s: %j after %j', (status, entry, last) => {
    expect(pinStatus(entry, last)).toBe(status);
  });
});
