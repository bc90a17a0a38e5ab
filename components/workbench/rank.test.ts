import { expect, test } from 'vitest';
import { best, rank } from './rank';

test('the beginning beats the beginning of a word, that beats the middle, that beats scattered letters', () => {
  const scores = ['get-sum', 'tools get-sum', 'forget-sum', 'g1e2t3'].map((text) => rank('get', text));
  expect(scores).toEqual([3, 2, 1, 0]);
});

test('every word must fit', () => {
  expect(rank('tool sum', 'Tool: get-sum')).toBe(5);
  expect(rank('tool xyz', 'Tool: get-sum')).toBeUndefined();
});

test('nothing typed keeps everything in its order, up to the limit', () => {
  expect(best('', ['b', 'a', 'c'], String, 2)).toEqual(['b', 'a']);
});

test('best first', () => {
  expect(best('ec', ['rec', 'echo', 'x'], String, 5)).toEqual(['echo', 'rec']);
});
