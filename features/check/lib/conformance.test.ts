import { expect, test } from 'vitest';
import { conformanceNote, conformanceSteps, notRequired, readSuiteChecks, type SuiteTarget } from './conformance';

const AT = '2026-01-02T03:04:05.678Z';
const check = (id: string, status: string, errorMessage?: string) => ({
  id,
  status,
  description: `About ${id}`,
  errorMessage,
  spec: undefined,
  at: AT,
});
const scenario = (name: string, ...checks: ReturnType<typeof check>[]) => ({ name, checks, isRequired: true });
const target = (more: Partial<SuiteTarget> = {}): SuiteTarget => ({
  capabilities: { tools: {} },
  listed: { tools: [{ name: 'test_simple_text' }] },
  isFront: false,
  ...more,
});
const skippedOf = (name: string, on: SuiteTarget) => conformanceSteps([scenario(name)], on)[0]!.skipped;

test('a failed check is an error, and a warning a warning', () => {
  const steps = conformanceSteps(
    [scenario('ping', check('ping', 'FAILURE', 'No answer'), check('b', 'WARNING'), check('c', 'SUCCESS'))],
    target(),
  );
  expect(steps[0]!.findings).toMatchObject([
    { rule: 'conformance', severity: 'error', message: 'About ping: No answer', path: 'ping/ping' },
    { rule: 'conformance', severity: 'warning' },
  ]);
  expect(conformanceNote(steps)).toBe('0 scenarios passed, 1 failed, 0 not applicable.');
});

test('a scenario that its revision does not require is a hint', () => {
  const [step] = conformanceSteps([{ ...scenario('x', check('a', 'FAILURE')), isRequired: false }], target());
  expect(step!.findings).toMatchObject([{ rule: 'conformance-optional', severity: 'info' }]);
});

test('a scenario without its fixture or capability does not apply', () => {
  expect(skippedOf('tools-call-simple-text', target())).toBeUndefined();
  expect(skippedOf('tools-call-simple-text', target({ listed: {} }))).toBe(
    'Not applicable: the server has no tool test_simple_text.',
  );
  expect(skippedOf('prompts-list', target())).toBe('Not applicable: the server does not declare prompts.');
  expect(skippedOf('dns-rebinding-protection', target())).toBeUndefined();
  expect(skippedOf('dns-rebinding-protection', target({ isFront: true }))).toMatch('about HTTP');
  expect(skippedOf('constructor', target())).toBeUndefined();
});

test('single checks without their fixture, or about HTTP of mcp-inspect, do not count', () => {
  const checks = [
    check('sep-2575-server-no-log-without-loglevel', 'FAILURE'),
    check('sep-2575-http-server-meta-invalid-400', 'FAILURE'),
    check('other', 'FAILURE', 'Not testable: nothing to test'),
  ];
  const found = (isFront: boolean) =>
    conformanceSteps([scenario('server-stateless', ...checks)], target({ isFront }))[0]!.findings.map(
      ({ path }) => path,
    );
  expect(found(true)).toEqual([]);
  expect(found(false)).toEqual(['server-stateless/sep-2575-http-server-meta-invalid-400']);
});

test('reads results, and only links to the specification', () => {
  const url = 'https://modelcontextprotocol.io/specification/2025-11-25/basic';
  const result = { id: 'a', status: 'FAILURE', name: 'A', timestamp: AT, specReferences: [{ id: 'x', url }] };
  const [read] = readSuiteChecks(JSON.stringify([result, 5]));
  expect(read).toEqual({ id: 'a', status: 'FAILURE', description: 'A', errorMessage: undefined, spec: url, at: AT });
  const evil = { ...result, specReferences: [{ url: 'https://example.com/) [x](javascript:1' }] };
  expect(readSuiteChecks(JSON.stringify([evil]))[0]!.spec).toBeUndefined();
  expect(readSuiteChecks('{')).toEqual([]);
});

test('finds the scenarios that are not scored', () => {
  const output =
    '✗ ping: 0 passed, 1 failed\n\nNot scored for 2025-11-25: 1 scenario(s) run.\n  ✗ server-sse-polling (pending)\n';
  expect([...notRequired(output)]).toEqual(['server-sse-polling']);
  expect(notRequired('')).toEqual(new Set());
});
