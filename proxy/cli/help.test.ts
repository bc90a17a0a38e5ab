import { expect, test } from 'vitest';
import { COMMANDS } from '../commands/registry';
import { subcommandsOf } from './grammar';
import { commandHelp, helpText } from './help';

test.each<[string, string]>([
  ['mcp-inspect', helpText(COMMANDS)],
  ...subcommandsOf(COMMANDS).map((command): [string, string] => [`mcp-inspect ${command.name}`, commandHelp(command)]),
])('the help of %s is its own, and every line of it fits 100 columns', (command, text) => {
  expect(text.split('\n')[0]).toMatch(new RegExp(`^Usage: ${command}\\b`));
  expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test('the help lists every subcommand under its task', () => {
  const text = helpText(COMMANDS);
  for (const { heading, commands } of COMMANDS.tasks) {
    expect(text).toContain(`\n${heading}:\n`);
    for (const { name, summary } of commands) expect(text).toMatch(new RegExp(`^  ${name}\\b.*  ${summary}$`, 'm'));
  }
});
