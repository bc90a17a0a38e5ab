import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { CheckFinding } from '../report';
import { ERROR, FINDING, HOSTILE, hostileReport, reportOf } from '../test-reports';
import { githubReport } from './github';
import { jsonReport } from './json';
import { junitReport } from './junit';
import { checkMarkdown } from './markdown';
import { CHECK_OUTPUTS } from './registry';
import { sarifReport } from './sarif';
import { checkText } from './text';

const REPORT = reportOf([FINDING, ERROR]);

test('the text names each problem, the worst first, and sums up', () => {
  expect(checkText(REPORT).split('\n')).toEqual([
    '# demo (legacy 2025-11-25 over stdio, 1 tool, ~41 tokens)',
    '  error    field-missing: Invalid JSON Schema',
    '           - name is missing.',
    '             at result.tools["echo"].inputSchema.type, frames #5, #9',
    '           → Fix the schema.',
    '             https://modelcontextprotocol.io/specification/2025-11-25/server/tools',
    '  warning  tool-schema: Invalid JSON Schema',
    '           - "type" is "strin", expected a type.',
    '             at result.tools["echo"].inputSchema.type, frames #5, #9',
    '           → Fix the schema.',
    '             https://modelcontextprotocol.io/specification/2025-11-25/server/tools',
    expect.stringMatching(/^ {2}1 error, 1 warning, 0 hints in /),
    '',
    'Failed: 1 error, 1 warning, 0 hints.',
  ]);
});

test('JSON has a summary and the seven members of each problem', () => {
  const parsed = JSON.parse(jsonReport(REPORT));
  expect(parsed.summary).toMatchObject({ passed: false, errors: 1, warnings: 1, sources: [{ problems: [0, 1] }] });
  const members = ['rule', 'severity', 'message', 'path', 'frames', 'advice', 'spec'];
  for (const problem of parsed.problems) expect(Object.keys(problem)).toEqual(members);
});

test('JUnit has a case with its time per step, and fails those at the threshold', () => {
  const xml = junitReport(REPORT);
  expect(xml).toContain('<testsuites name="mcp-inspect check" tests="2" failures="1" errors="0" time="0.155">');
  expect(xml).toContain('<testcase classname="demo" name="connect" time="0.120"/>');
  expect(xml).toContain('<failure type="field-missing" message="name is missing.">');
  expect(xml).toContain('<system-out>warning tool-schema:');
});

test('SARIF has one run with the rules and fingerprints', () => {
  const [run] = JSON.parse(sarifReport(REPORT)).runs;
  expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual(['field-missing', 'tool-schema']);
  expect(run.results[0]).toMatchObject({ ruleId: 'field-missing', ruleIndex: 0, level: 'error' });
});

/** Requirements and limits of GitHub’s code scanning. */
describe('SARIF for code scanning', () => {
  const location = '.vscode/mcp.json';
  const located = (findings: readonly CheckFinding[]) => {
    const report = reportOf(findings);
    return sarifReport({ ...report, sources: report.sources.map((source) => ({ ...source, location })) });
  };

  test('has what is required of each rule and result', () => {
    const [run] = JSON.parse(located([FINDING, ERROR])).runs;
    for (const rule of run.tool.driver.rules) {
      for (const member of ['shortDescription', 'fullDescription', 'help']) expect(rule[member].text).not.toBe('');
      expect(rule.name.length).toBeLessThanOrEqual(255);
      expect(rule.fullDescription.text.length).toBeLessThanOrEqual(1024);
    }
    for (const { message, locations } of run.results) {
      expect(message.text).not.toBe('');
      expect(locations).toHaveLength(1);
      expect(locations[0].physicalLocation).toEqual({
        artifactLocation: { uri: '.vscode/mcp.json' },
        region: { startLine: 1 },
      });
    }
  });

  test('has a fingerprint for each result, as all are on one line', () => {
    const many = Array.from('abc', (name) => ({ ...ERROR, message: `${name} is missing.` }));
    const [run] = JSON.parse(located([...many, many[0]!])).runs;
    const results: readonly { partialFingerprints: { primaryLocationLineHash: string } }[] = run.results;
    const hashes = results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash);
    expect(new Set(hashes).size).toBe(4);
    expect(JSON.parse(located(many.toReversed())).runs[0].results[2].partialFingerprints).toEqual(
      run.results[0].partialFingerprints,
    );
  });

  test('stays within the number of results and the size, with the errors first', () => {
    const noise = randomBytes(600 * 1024).toString('base64');
    const long = (at: number) => noise.slice(at * 100, at * 100 + 700);
    const many = Array.from({ length: 6000 }, (_, at) => ({ ...FINDING, message: long(at), path: long(at + 1) }));
    const text = located([...many, ERROR]);
    const [run] = JSON.parse(text).runs;
    expect(run.results).toHaveLength(5000);
    expect(run.results[0].level).toBe('error');
    expect(gzipSync(text).length).toBeLessThan(10_000_000);
    expect(run.invocations[0].toolExecutionNotifications[0].message.text).toContain('1,001 results left out');
  });
});

test('GitHub gets an annotation per problem', () => {
  expect(githubReport(REPORT).split('\n')).toEqual([
    expect.stringMatching(/^::warning title=mcp-inspect%3A tool-schema::demo: "type" is /),
    expect.stringMatching(/^::error title=mcp-inspect%3A field-missing::demo: name is missing/),
    'Failed: 1 error, 1 warning, 0 hints.',
  ]);
});

test('Markdown quotes what the server says', () => {
  expect(checkMarkdown(REPORT)).toContain('- **error** `field-missing`: `name is missing.`');
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const ACTIVE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\ufeff]/;

describe.each(HOSTILE)('hostile text %j', (text) => {
  const report = hostileReport(text);

  test.each(CHECK_OUTPUTS)('is harmless in $option', ({ option, format }) => {
    const written = format(report);
    expect(written).not.toMatch(ACTIVE);
    expect(written.isWellFormed()).toBe(true);
    expect(written).not.toMatch(/##[a-z]*\[/i);
    for (const line of written.split('\n')) {
      if (option === 'report.github' && /^::(?:error|warning|notice) file=/.test(line)) continue;
      expect(line.trimStart()).not.toMatch(/^::/);
    }
  });

  test('is one annotation, whose properties it cannot change', () => {
    const lines = githubReport(report).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^::error file=[^:,]*,title=mcp-inspect%3A field-missing::/);
  });

  test('is the same value in JSON', () => {
    expect(JSON.parse(jsonReport(report)).problems[0].message).toBe(JSON.parse(JSON.stringify(text)));
  });

  test('adds no element to JUnit', () => {
    const elements = [...junitReport(report).matchAll(/<(\/?\w[\w-]*)/g)].map(([, name]) => name);
    expect(elements).toEqual([...junitReport(hostileReport('x')).matchAll(/<(\/?\w[\w-]*)/g)].map(([, name]) => name));
  });

  test('stands in code in Markdown', () => {
    const outside = checkMarkdown(report).replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
    expect(outside).not.toMatch(/@|https?:\/\/(?!modelcontextprotocol\.io\/)|<(?!br>)|!\[|javascript/);
    expect(outside).not.toMatch(/(?<!\\|#)#\d/);
  });

  test('makes no link in SARIF', () => {
    const { results } = JSON.parse(sarifReport(report)).runs[0];
    expect(results[0].message.text).not.toMatch(/(?<!\\)\]\(/);
  });
});
