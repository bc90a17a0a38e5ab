import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '@/proxy/commands/registry';

const TEXT = readFileSync(join(import.meta.dirname, '../../../../.github/actions/check/action.yml'), 'utf8');
const ACTION = parse(TEXT);
const [step] = ACTION.runs.steps;

test('the action has what GitHub asks of a composite action', () => {
  expect(Object.keys(ACTION).sort()).toEqual(['description', 'inputs', 'name', 'runs']);
  expect(ACTION.runs.using).toBe('composite');
  for (const one of ACTION.runs.steps) expect(one).toMatchObject({ run: expect.any(String), shell: 'bash' });
  for (const [name, input] of Object.entries<object>(ACTION.inputs)) {
    expect(name).toMatch(/^[a-z][a-z-]*$/);
    expect(input).toMatchObject({ description: expect.any(String) });
    // An input is required or has a default.
    expect('required' in input !== 'default' in input).toBe(true);
  }
});

test('the script gets every input as a variable, and expands none', () => {
  expect(step.run).not.toContain('${{');
  const passed = Object.entries<string>(step.env).map(([name, value]) => {
    expect(step.run).toContain(`$${name}`);
    return /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1];
  });
  expect(passed.sort()).toEqual(Object.keys(ACTION.inputs).sort());
});

test('the script uses options that `check` has', () => {
  const check = COMMANDS.tasks.flatMap(({ commands }) => commands).find(({ name }) => name === 'check')!;
  const used = Array.from(step.run.matchAll(/(?<= |\()--([a-z-]+)/g), ([, name]) => name);
  expect(used).toEqual(expect.arrayContaining(['report', 'fail-on', 'baseline']));
  const kinds = Array.from(step.run.matchAll(/--report "?([a-z]+)/g), ([, kind]) => kind);
  expect(kinds).toEqual(['github', 'markdown']);
  expect(used.filter((name) => !check.options.some((option) => option.name === name))).toEqual([]);
});
