import { describe, expect, test } from 'vitest';
import type { ConfigInput } from '@/lib/wire/config-inputs';
import { type Asking, askInputs } from './ask-inputs';

const KEY: ConfigInput = { id: 'key', description: 'The API key', secret: true };
const REGION: ConfigInput = {
  id: 'region',
  description: '',
  default: 'us',
  options: ['eu', 'us', '2'].map((value) => ({ value, label: value })),
  secret: false,
};

/** A person who types these lines. */
function person(...lines: string[]) {
  const said: string[] = [];
  const asking: Asking = {
    ask: async (question, hidden) => {
      said.push(`${question}${hidden ? '***' : ''}`);
      return lines.shift();
    },
    printNote: (line) => said.push(line),
  };
  return { said, asking };
}

describe('a person at the terminal', () => {
  test('sees description, choices and default; a password is hidden', async () => {
    const { said, asking } = person('s3cret', '');
    expect(await askInputs([KEY, REGION], asking)).toEqual([
      { id: 'key', value: 's3cret', secret: true },
      { id: 'region', value: 'us' },
    ]);
    expect(said).toEqual(['The API key', 'key: ***', '  1  eu', '  2  us', '  3  2', 'region [us]: ']);
  });

  test.each([
    ['1', 'eu'],
    ['us', 'us'],
    ['2', '2'],
  ])('chooses by number or value: %s', async (line, value) => {
    expect(await askInputs([REGION], person(line).asking)).toEqual([{ id: 'region', value }]);
  });

  test('is asked again after an empty or unknown choice', async () => {
    const { said, asking } = person('', 'x', '9', 'eu');
    expect(await askInputs([KEY, REGION], asking)).toMatchObject([{ value: 'x' }, { value: 'eu' }]);
    expect(said.filter((line) => line.startsWith('Type a'))).toHaveLength(2);
  });

  test('can stop by closing stdin', async () => {
    await expect(askInputs([KEY], person().asking)).rejects.toThrow('--input key=VALUE');
  });

  test('sees which command an editor would have run', async () => {
    const { said, asking } = person('v');
    await askInputs([{ ...KEY, command: 'my.command' }], asking);
    expect(said[0]).toMatch('command `my.command`, which can’t run here');
  });
});

describe('without a terminal', () => {
  test('uses defaults; an input without one is an error', async () => {
    const said: string[] = [];
    const asking: Asking = { ask: undefined, printNote: (line) => said.push(line) };
    expect(await askInputs([REGION, { ...KEY, default: 's3cret' }], asking)).toMatchObject([
      { value: 'us' },
      { value: 's3cret' },
    ]);
    expect(said[0]).toMatch('Using the default of `region`, `us`.');
    expect(said.join()).not.toContain('s3cret');
    const { default: _, ...zone } = { ...REGION, id: 'zone' };
    await expect(askInputs([KEY, REGION, zone], asking)).rejects.toMatchObject({
      exitCode: 2,
      message:
        'The config asks for `key`, `zone`, and there is no terminal to type in. Add `--input key=VALUE --input zone=VALUE`.',
    });
  });
});
