import { expect, test } from 'vitest';
import { runToEnd } from '@/lib/wire/in-slices';
import { listFacts, qualityFindings } from './quality';
import type { HostSummary } from './report';
import { CATALOGUE_FAULTS, CATALOGUE_GOOD } from './test-catalogues';

/** Runs all of the work at once. */
const findingsOf = (...of: Parameters<typeof qualityFindings>) => runToEnd(qualityFindings(...of));

const always = (_: number, work: () => void) => {
  work();
  return 'done' as const;
};

test.each(Object.entries(CATALOGUE_FAULTS))('finds %s', (rule, tool) => {
  const found = findingsOf({ tools: Array.isArray(tool) ? tool : [tool] }, '2025-11-25', always);
  expect(found.map((finding) => finding.rule)).toContain(rule);
});

test('says nothing of the limits of a host that judges the server itself', () => {
  const tools = Array.from({ length: 129 }, (_, at) => ({ name: `t${at}`, description: 'x' })) as never;
  const limits = (...judged: string[]) =>
    findingsOf(
      { tools },
      '2025-11-25',
      always,
      judged.map((host) => ({ host }) as HostSummary),
    ).flatMap(({ rule, hosts = [] }) => (rule === 'tool-count-host' ? hosts : []));
  expect([limits(), limits('vscode'), limits('vscode', 'cursor')]).toEqual([['vscode', 'cursor'], ['cursor'], []]);
});

test('finds nothing in good definitions', () => {
  expect(findingsOf({ tools: CATALOGUE_GOOD }, '2025-11-25', always)).toEqual([]);
});

test('a schema that hangs is one finding, however many values it has', () => {
  const { 'sample-rejected': tool } = CATALOGUE_FAULTS;
  let checks = 0;
  const never = () => {
    checks++;
    return 'slow' as const;
  };
  const found = findingsOf({ tools: [tool as object] as never }, '2025-11-25', never);
  expect(found.map(({ rule }) => rule)).toEqual(['slow-schema']);
  expect(checks).toBe(1);
});

test('has a pause after each value of a schema and each tool, because each can take long', () => {
  const property = { type: 'string', default: 'a', examples: ['b', 'c'] };
  const tool = { name: 'a', description: 'x', inputSchema: { type: 'object', properties: { property } } };
  const work = qualityFindings({ tools: [tool, tool] }, '2025-11-25', always);
  let pauses = 0;
  while (!work.next().done) pauses++;
  // Three values, the sample and the other rules of each tool; the sizes.
  expect(pauses).toBe(2 * (3 + 1 + 1) + 1);
});

test('alternatives that multiply are followed up to a limit', () => {
  let looks = 0;
  const many = Array.from({ length: 20 }, () => ({ $ref: '#/$defs/many' }));
  const $defs = {
    many: {
      get description() {
        looks++;
        return '';
      },
      anyOf: many,
    },
  };
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, $defs.many]));
  findingsOf(
    { tools: [{ name: 'a', description: 'x', inputSchema: { $defs, properties } }] },
    undefined,
    () => 'skipped',
  );
  expect(looks).toBeLessThan(10_000);
});

test('a check that a busy machine did not let finish makes no finding', () => {
  const { 'sample-rejected': tool } = CATALOGUE_FAULTS;
  const stopped = (_: number, work: () => void) => {
    work();
    return 'unknown' as const;
  };
  expect(findingsOf({ tools: [tool as object] as never }, '2025-11-25', stopped)).toEqual([]);
});

test('tools without a check, because the time for all is over, are one finding', () => {
  const tools = ['a', 'b'].map((name) => ({ ...CATALOGUE_FAULTS['sample-rejected'], name }));
  const found = findingsOf({ tools }, '2025-11-25', () => 'skipped');
  expect(found.map(({ rule, message }) => [rule, message])).toEqual([
    ['slow-schema', '2 inputSchemas not checked: the time for all schemas was over.'],
  ]);
});

test('names the place by the tool’s name', () => {
  const [found] = findingsOf({ tools: [CATALOGUE_FAULTS['argument-name-host'] as never] }, undefined, always);
  expect(found?.path).toBe('tools["fetch"].inputSchema.properties["a b"]');
});

test('a token is four bytes of JSON', () => {
  expect(listFacts({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] })).toEqual({
    tools: 1,
    tokens: 11,
    names: { tools: ['a'] },
  });
});
