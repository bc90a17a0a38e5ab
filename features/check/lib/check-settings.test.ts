import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { describe, expect, test } from 'vitest';
import { runToEnd } from '@/lib/wire/in-slices';
import { CHECK_RULES, knownRules } from './check-rules';
import {
  type CheckSettings,
  extendedSettings,
  readCheckSettings,
  settingsSchema,
  withSettings,
} from './check-settings';
import { qualityFindings } from './quality';
import { findingsOf } from './report';
import { ERROR, FINDING, reportOf } from './test-reports';

const ROOT = join(import.meta.dirname, '../../..');
const read = (settings: unknown) => readCheckSettings(settings, (_, [first]) => first);

test('changes severities, and leaves out what is off', () => {
  const budget = { tokens: 5000, p95: '0.5s', result: '64KB' };
  const settings = read({ rules: { 'tool-schema': 'error', 'field-missing': 'off' }, failOn: 'warning', budget });
  expect(settings).toMatchObject({ failOn: 'warning', budget: { tokens: 5000, p95: 500, result: 64_000 } });
  const report = withSettings(reportOf([FINDING, ERROR]), settings as CheckSettings);
  expect(findingsOf(report).map(({ finding }) => [finding.rule, finding.severity])).toEqual([['tool-schema', 'error']]);
  expect(report.off).toBe(1);
});

test('judges by the limits of the chosen hosts only', () => {
  const tools = Array.from({ length: 90 }, (_, at) => ({ name: at === 0 ? 'a.b' : `t${at}`, description: 'x' }));
  const quality = runToEnd(qualityFindings({ tools: tools as never }, '2025-11-25', () => true as never));
  const left = (settings: object) =>
    findingsOf(withSettings(reportOf([ERROR, ...quality]), read(settings) as CheckSettings)).map(
      ({ finding: { rule, hosts = [] } }) => [rule, hosts[0]],
    );
  const [ofNone, tool] = [['field-missing', undefined], 'tool-name-host'];
  const [openai, claude, cursor] = [
    [tool, 'openai-api'],
    [tool, 'claude-api'],
    ['tool-count-host', 'cursor'],
  ];
  expect(left({})).toEqual([ofNone, claude, openai, cursor]);
  expect(left({ hosts: ['cursor', 'openai-api'] })).toEqual([ofNone, openai, cursor]);
  expect(left({ hosts: ['claude-code', 'vscode'] })).toEqual([ofNone, claude]);
  expect(left({ hosts: [] })).toEqual([ofNone]);
});

test('hosts of a file come before those of the file that it extends', () => {
  const [base, added] = [{ hosts: ['cursor'] }, {}].map((settings) => read(settings) as CheckSettings);
  expect(extendedSettings(base!, added!).hosts).toEqual(['cursor']);
  expect(extendedSettings(base!, read({ hosts: ['vscode'] }) as CheckSettings).hosts).toEqual(['vscode']);
});

describe('an invalid file says what is wrong', () => {
  test.each([
    [{ rules: { 'no-such-rule': 'off' } }, 'there is no rule `no-such-rule`: did you mean'],
    [{ rules: { __proto__: 'off', constructor: 'off' } }, 'there is no rule `constructor`'],
    [{ rules: { 'tool-schema': 'fatal' } }, '`tool-schema` is not one of off, info, warning, error'],
    [{ rules: [] }, '`rules` is not an object'],
    [{ failOn: 'off' }, '`failOn` is not one of info, warning, error'],
    [{ severity: {} }, '`severity` is unknown'],
    [[], 'it is not a JSON object'],
    [{ budget: { tokens: 'many' } }, '`tokens` is not a limit: write a number'],
    [{ budget: { p95: '2 min' } }, '`p95` is not a limit: write a number, 100ms, 100s'],
    [{ hosts: 'cursor' }, '`hosts` is not a list'],
    [{ hosts: ['cursor', 'cursr'] }, 'no limit of the host `cursr` is known: did you mean `claude.ai`?'],
    [{ budget: { memory: 1 } }, 'there is no budget `memory`: choose from tokens, tools, p95, result'],
  ])('%j', (settings, why) => {
    expect(read(settings)).toContain(why);
  });

  test('text that is not JSON', () => {
    expect(readCheckSettings(undefined, () => undefined)).toBe('it is not JSON');
  });
});

test('the JSON Schema is shipped, and takes what is read', async () => {
  await expect(`${JSON.stringify(settingsSchema(), undefined, 2)}\n`).toMatchFileSnapshot(
    join(ROOT, 'schemas/mcp-inspect.config.schema.json'),
  );
  const accepts = new Ajv().compile(settingsSchema());
  expect(
    accepts({ $schema: 'x', rules: { 'tool-schema': 'off' }, failOn: 'info', budget: { tools: 9, p95: '1s' } }),
  ).toBe(true);
  expect(accepts({ hosts: ['cursor', 'claude-code'] })).toBe(true);
  expect(accepts({ hosts: ['no-such-host'] })).toBe(false);
  expect(accepts({ rules: { 'no-such-rule': 'off' } })).toBe(false);
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(files).toContain('schemas');
});

/** Texts of the files that report problems of their own. */
function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith('.ts') && !/^test-|\.test\.ts$/.test(name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
}

test('every rule of `check` is known and documented', () => {
  const texts = [...sources('features/check/lib'), ...sources('features/check/proxy')];
  const found = texts.flatMap((text) => [
    ...Array.from(text.matchAll(/\brule: '([a-z-]+)'/g), ([, id]) => id!),
    ...Array.from(text.matchAll(/^ {2}'([a-z]+(?:-[a-z]+)+)': \[\n? *'(?:error|warning|info)'/gm), ([, id]) => id!),
  ]);
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter((id) => !knownRules().includes(id))).toEqual([]);
  const page = readFileSync(join(ROOT, 'docs/check.md'), 'utf8');
  expect(CHECK_RULES.filter((id) => !page.includes(`\`${id}\``))).toEqual([]);
});

test('attack: a host that can’t become text is a fault like any other', () => {
  expect(read({ hosts: [{ toString: 1, valueOf: 1 }] })).toContain('no limit of the host `{"toString":1');
});
