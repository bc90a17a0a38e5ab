import { expect, test, vi } from 'vitest';
import { answered, asked, type FrameSeed, framesOf } from '@/lib/store/test-frames';
import { judgeFrames, namedPath } from './judge-frames';
import { FIXTURES } from './test-fixtures';
import { legacy } from './test-sessions';

const always = (_: number, work: () => void) => {
  work();
  return true;
};
const judge = (seeds: readonly FrameSeed[]) => judgeFrames(() => [framesOf(seeds)], always);

test.each(Object.entries(FIXTURES))('finds %s as the page does', async (rule, { bad, good, unchecked }) => {
  if (unchecked) return;
  expect((await judge(bad)).findings.map((finding) => finding.rule)).toContain(rule);
  expect((await judge(good)).findings.map((finding) => finding.rule)).not.toContain(rule);
});

test('names the entry of a list, not its place', async () => {
  const tools = [
    { name: 'a', inputSchema: { type: 'object' } },
    { name: 'my tool', inputSchema: { type: 'strin' } },
  ];
  const { findings } = await judge([...legacy(), asked(1, 'tools/list'), answered(1, { tools })]);
  expect(findings.find(({ rule }) => rule === 'tool-schema')?.path).toBe('result.tools["my tool"].inputSchema.type');
});

test('tells whose fault it is', async () => {
  const { findings } = await judge([...legacy(), asked(1, 'ping', [])]);
  expect(findings.map(({ fromServer }) => fromServer)).toEqual([false, false]);
});

test('lets Ctrl-C have its turn between frames that take long', async () => {
  let isInterrupted = false;
  setTimeout(() => {
    isInterrupted = true;
  });
  let [slices, before] = [0, 0];
  const within = (_: number, work: () => void) => {
    slices++;
    if (!isInterrupted) before++;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => now.mock.calls.length * 1000);
    work();
    now.mockRestore();
    return true;
  };
  await judgeFrames(() => [framesOf([...legacy(), asked(1, 'ping'), asked(2, 'ping')])], within);
  expect(slices).toBeGreaterThan(3);
  expect(before).toBe(1);
});

test('judges again without a check of a schema that hangs', async () => {
  const output = { outputSchema: { type: 'object' }, inputSchema: { type: 'object' } };
  const frames = framesOf([
    ...legacy(),
    asked(1, 'tools/list'),
    answered(1, { tools: [{ name: 'a', ...output }] }),
    asked(2, 'tools/call', { name: 'a' }),
    answered(2, { content: [{ type: 'text', text: '{}' }], structuredContent: {} }),
  ]);
  let passes = 0;
  const hangsOnce = (_: number, work: () => void) => {
    work();
    return passes > 1;
  };
  const { findings } = await judgeFrames(() => {
    passes++;
    return [frames];
  }, hangsOnce);
  expect(passes).toBe(2);
  expect(findings.map(({ rule }) => rule)).toEqual(['output-unchecked']);
});

test('gives up on rules that always hang', async () => {
  await expect(
    judgeFrames(
      () => [framesOf(legacy())],
      () => false,
    ),
  ).rejects.toThrow('take too long');
});

test.each([
  [['result', 'tools', 0, 'name'], 'result.tools["x"].name'],
  [['result', 'tools', 9, 'name'], 'result.tools[9].name'],
  [['result', 'contents', 0], 'result.contents[0]'],
  [[], ''],
])('formats %j', (path, text) => {
  expect(namedPath(path, { result: { tools: [{ name: 'x' }], contents: [5] } })).toBe(text);
});
