import { expect, test } from 'vitest';
import {
  doubts,
  HOST_STATES,
  type HostObstacle,
  type HostState,
  type HostVerdict,
  sourceText,
} from '@/features/host-judge';
import { obstacleCount, verdictsInShort, worstFirst } from './labels';

const OBSTACLE: HostObstacle = {
  fact: 'names',
  loses: 'tool',
  isReported: false,
  does: 'leaves out a tool with a dot in its name.',
  advice: 'Use `_` in place of dots.',
  source: 'https://host.example/docs',
  on: '2026-02-01',
  isOld: false,
  places: [{ seq: 7, words: '"a.b": the name has a dot.', path: 'result.tools["a.b"].name', tool: 'a.b' }],
};
const REPORTED: HostObstacle = { ...OBSTACLE, fact: 'reported', isReported: true, isOld: true };

function verdict(title: string, state: HostState, ...obstacles: readonly HostObstacle[]): HostVerdict {
  return { host: title, title, state, obstacles, untried: [], questions: [] };
}

test('no state says that a host works', () => {
  expect(Object.values(HOST_STATES).join()).not.toMatch(/good|works|ok|passed|compatible/i);
});

test('the worst verdict stands first, and hosts out of reach last', () => {
  const verdicts = [
    verdict('a', 'out-of-reach'),
    verdict('b', 'no-obstacle'),
    verdict('c', 'unknown'),
    verdict('d', 'loses', OBSTACLE),
    verdict('e', 'fails', OBSTACLE),
  ];
  expect(worstFirst(verdicts).map(({ title }) => title)).toEqual(['e', 'd', 'c', 'b', 'a']);
});

test.each([
  [[], ''],
  [[OBSTACLE], '1 obstacle'],
  [[OBSTACLE, REPORTED], '2 obstacles'],
  [[REPORTED], '1 reported obstacle'],
])('counts obstacles', (obstacles, text) => {
  expect(obstacleCount({ obstacles })).toBe(text);
});

test('the bottom line names hosts with obstacles, and else all that are judged', () => {
  const fine = verdict('VS Code', 'no-obstacle');
  const unseen = verdict('the Claude API', 'unknown');
  const away = verdict('claude.ai', 'out-of-reach');
  expect(verdictsInShort([fine, verdict('Codex', 'loses', OBSTACLE, REPORTED)])).toBe('Codex: 2 obstacles');
  expect(verdictsInShort([fine, unseen, away])).toBe('Claude API: unknown, VS Code: no obstacle seen');
  expect(verdictsInShort([away])).toBe('');
});

test('doubts about a source', () => {
  expect(doubts(OBSTACLE)).toEqual([]);
  expect(sourceText(REPORTED)).toBe('https://host.example/docs, 2026-02-01, older than half a year, reported by users');
  expect(doubts(REPORTED)).toEqual(['older than half a year', 'reported by users']);
});
