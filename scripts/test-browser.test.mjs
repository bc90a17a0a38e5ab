import { describe, expect, test } from 'vitest';
import { browserWords } from './test-browser.mjs';

const ALL = ['log', 'log-rows', 'logs', 'tap', 'http'];

test.each(['log', 'log.spec', 'log.spec.ts', 'e2e/log.spec.ts', './e2e/log.spec.ts'])('%s is a file', (word) => {
  expect(browserWords([word], ALL)).toEqual(['e2e/log.spec.ts', '--project=chromium']);
});

test('several names, then flags and their values', () => {
  const words = ['log', 'tap', '-g', 'opens', '--headed'];
  expect(browserWords(words, ALL)).toEqual([
    'e2e/log.spec.ts',
    'e2e/tap.spec.ts',
    '--project=chromium',
    '-g',
    'opens',
    '--headed',
  ]);
});

test('a project replaces Chromium', () => {
  expect(browserWords(['log', '--project=firefox'], ALL)).toEqual(['e2e/log.spec.ts', '--project=firefox']);
});

test('without a name all files run', () => {
  expect(browserWords([], ALL)).toEqual(['--project=chromium']);
});

describe('an unknown name', () => {
  test('lists near ones', () => {
    expect(() => browserWords(['strat'], ['start', 'starting', 'tabs'])).toThrow(
      'e2e/strat.spec.ts does not exist. Did you mean start?',
    );
    expect(() => browserWords(['log-row'], ALL)).toThrow('Did you mean log, log-rows?');
  });

  test('lists all if none is near', () => {
    expect(() => browserWords(['unknown'], ALL)).toThrow('Choose from: log, log-rows, logs, tap, http.');
  });
});
