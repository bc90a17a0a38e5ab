import { expect, test } from 'vitest';
import { findFileSubcommand, findSubcommand } from './subcommands';

test.each<[string[], string | undefined, string[]]>([
  [['list', '--demo'], 'list', ['--demo']],
  [['--demo', 'list'], 'list', ['--demo']],
  [['--protocol', 'auto', 'call', 'list', '--', 'x'], 'call', ['--protocol', 'auto', 'list', '--', 'x']],
  [['--timeout', 'list', 'read', 'u'], 'read', ['--timeout', 'list', 'u']],
  [['--', 'list'], undefined, []],
  [['--demo', '--', 'list'], undefined, []],
  [['node', 'list'], undefined, []],
  [['./list'], undefined, []],
  [['--config', 'list'], undefined, []],
  [['constructor'], undefined, []],
  [[], undefined, []],
])('%j', (argv, name, rest) => {
  expect(findSubcommand(argv)).toEqual(name && { name, argv: rest });
});

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
