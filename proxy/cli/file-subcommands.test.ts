import { expect, test } from 'vitest';
import { findFileSubcommand } from './file-subcommands';

test.each<[string[], string | undefined, string[]]>([
  [['share', 'a', '--out', 'b'], 'share', ['a', '--out', 'b']],
  [['share'], 'share', []],
  [['--', 'share'], undefined, []],
  [['node', 'share'], undefined, []],
  [['constructor'], undefined, []],
  [[], undefined, []],
])('%j', (argv, name, rest) => {
  expect(findFileSubcommand(argv)).toEqual(name && { name, argv: rest });
});
