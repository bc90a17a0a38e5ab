import { expect, test } from 'vitest';
import type { HostObstacle, HostVerdict } from '@/features/host-judge';
import { hostFindings } from './host-findings';

const OBSTACLE: HostObstacle = {
  fact: 'one-bad-tool',
  loses: 'all-tools',
  isReported: false,
  does: 'reads the list strictly.',
  advice: 'Write `type: "object"`.',
  source: 'an/sdk:types.ts @1',
  on: '2026-08-22',
  isOld: false,
  places: [
    { seq: 7, words: '"a": has no inputSchema.', path: 'result.tools["a"]', tool: 'a' },
    { seq: 8, words: '"b": has no inputSchema.', path: 'result.tools["b"]', tool: 'b' },
  ],
};
const verdict = (host: string, ...obstacles: readonly HostObstacle[]): HostVerdict => ({
  host,
  title: host,
  state: 'fails',
  obstacles,
  untried: [],
  questions: [],
});

test('hosts with the same fact share a problem for each place', () => {
  const found = hostFindings([verdict('one', OBSTACLE), verdict('other', OBSTACLE), verdict('third')]);
  expect(found).toHaveLength(2);
  expect(found[0]).toEqual({
    rule: 'host-one-bad-tool',
    severity: 'error',
    title: 'Obstacle in one, other',
    message: '"a": has no inputSchema. The host reads the list strictly.',
    path: 'result.tools["a"]',
    frames: [7],
    advice: 'Write `type: "object"`. (an/sdk:types.ts @1, 2026-08-22)',
    spec: undefined,
    hosts: ['one', 'other'],
    known: { source: 'an/sdk:types.ts @1', on: '2026-08-22', isReported: false },
  });
});

test('the same fault in several frames is one problem', () => {
  const places = [1, 5, 9].map((seq) => ({ seq, words: '"a" returned 300,000 characters.' })) as never;
  expect(hostFindings([verdict('one', { ...OBSTACLE, places })])).toMatchObject([{ frames: [1, 5, 9] }]);
});

test.each<[HostObstacle['loses'], boolean, string]>([
  ['server', false, 'error'],
  ['tool', false, 'error'],
  ['tool', true, 'warning'],
  ['result', false, 'warning'],
  ['feature', false, 'warning'],
])('the loss of %s, reported %s, is an %s', (loses, isReported, severity) => {
  expect(hostFindings([verdict('one', { ...OBSTACLE, loses, isReported })])[0]).toMatchObject({ severity });
});

test('an address of a source is the place to read on', () => {
  const source = 'https://example.com/issue';
  const [found] = hostFindings([verdict('one', { ...OBSTACLE, source, isReported: true, isOld: true })]);
  expect(found).toMatchObject({
    spec: source,
    advice: 'Write `type: "object"`. (2026-08-22, older than half a year, reported by users)',
  });
});
