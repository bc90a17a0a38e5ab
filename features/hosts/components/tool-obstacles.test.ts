import { expect, test } from 'vitest';
import type { HostObstacle, HostVerdict } from '@/features/host-judge';
import { toolObstacles } from './tool-obstacles';

function verdict(host: string, loses: HostObstacle['loses'], tool: string): HostVerdict {
  const obstacle: HostObstacle = {
    fact: `${host} ${loses}`,
    loses,
    isReported: false,
    does: 'drops it.',
    advice: '',
    source: '',
    on: '',
    isOld: false,
    places: [
      { seq: 1, words: 'other' },
      { seq: 2, words: 'here', tool },
    ],
  };
  return { host, title: host, state: 'loses', obstacles: [obstacle], untried: [], questions: [] };
}

test('a tool has the obstacles that name it and cost a host the tool', () => {
  const verdicts = [
    verdict('codex', 'tool', 'a'),
    verdict('zed', 'all-tools', 'a'),
    verdict('goose', 'feature', 'a'),
    verdict('cursor', 'tool', 'b'),
    verdict('claude-directory', 'tool', 'a'),
  ];
  const hosts = (chosen: readonly string[]) => toolObstacles(verdicts, 'a', chosen).map(({ host }) => host);
  expect(hosts([])).toEqual(['codex', 'zed']);
  expect(hosts(['claude-directory'])).toEqual(['codex', 'zed', 'claude-directory']);
  expect(toolObstacles(verdicts, 'a', [])[0]?.place).toMatchObject({ seq: 2 });
});
