import { expect, test } from 'vitest';
import { fileSubcommandHelp } from '@/proxy/commands/file-run';
import { subcommandHelp } from '@/proxy/commands/run';
import { helpText, recordingsHelp } from './help';
import { FILE_SUBCOMMANDS, SUBCOMMANDS } from './subcommands';

test.each<[string, string]>([
  ['mcp-inspect', helpText()],
  ...(['open', 'recordings'] as const).map((word): [string, string] => [`mcp-inspect ${word}`, recordingsHelp(word)]),
  ...SUBCOMMANDS.map(({ name }): [string, string] => [`mcp-inspect ${name}`, subcommandHelp(name)]),
  ...FILE_SUBCOMMANDS.map(({ name }): [string, string] => [`mcp-inspect ${name}`, fileSubcommandHelp(name)]),
])('the help of %s is its own, and every line of it fits a terminal', (command, text) => {
  expect(text.split('\n')[0]).toMatch(new RegExp(`^Usage: ${command}\\b`));
  expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
});
