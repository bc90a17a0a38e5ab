import { expect, test } from 'vitest';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { findFileSubcommand } from '@/proxy/cli/subcommands';
import { fileSubcommandHelp } from './file-run';
import { parseFileRequest } from './file-subcommand';

function parse(...argv: string[]) {
  return parseFileRequest(findFileSubcommand(argv)!);
}

function wrong(...argv: string[]): string {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof ExitError && error.exitCode === EXIT.usage) return error.message;
    throw error;
  }
  throw new Error('it is not wrong');
}

test('words and options fall apart in any order; a repeated option keeps all its values', () => {
  expect(parse('share', '--out', 'b', 'a', '--no-http', '--out=c')).toEqual({
    name: 'share',
    words: ['a'],
    given: new Map([
      ['out', ['b', 'c']],
      ['no-http', ['']],
    ]),
  });
  expect(parse('share', 'a', '-h')).toBe('help');
  expect(fileSubcommandHelp('share')).toContain('--no-stderr');
});

test('says what is wrong and what to do', () => {
  expect(wrong('share')).toContain('write `mcp-inspect share FILE');
  expect(wrong('share', 'a', 'b')).toBe('`b` is one word too many: leave it out.');
  expect(wrong('share', 'a', '--no-htp')).toBe('There is no option `--no-htp`: did you mean `--no-http`?');
  expect(wrong('share', 'a', '--colour', '1')).toContain('see `mcp-inspect share --help`');
  expect(wrong('share', 'a', '--out')).toContain('`--out` needs a value');
  expect(wrong('share', 'a', '--no-http=1')).toBe('`--no-http` takes no value: leave `=1` out.');
  expect(wrong('share', 'a', '--', 'node', 'x.js')).toBe(
    '`share` takes no command: leave `--` and what follows it out.',
  );
});
