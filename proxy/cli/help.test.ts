import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../commands/registry';
import { subcommandsOf, usageOf } from './grammar';
import { commandHelp, helpText, topicHelp } from './help';

test.each<[string, string]>([
  ['mcp-inspect', helpText(COMMANDS)],
  ...subcommandsOf(COMMANDS).map((command): [string, string] => [
    `mcp-inspect ${command.name}`,
    commandHelp(command, COMMANDS),
  ]),
])('the help of %s is its own, and every line of it fits 100 columns', (command, text) => {
  expect(text.split('\n')[0]).toMatch(new RegExp(`^Usage: ${command}\\b`));
  expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test.each<[string, string]>([
  ['first', helpText(COMMANDS)],
  ...subcommandsOf(COMMANDS).map((command): [string, string] => [command.name, commandHelp(command, COMMANDS)]),
  ...COMMANDS.topics.map((topic): [string, string] => [topic.name, topicHelp(topic, COMMANDS)]),
])('`mcp-inspect help %s` is as it was last looked at', async (name, text) => {
  await expect(text).toMatchFileSnapshot(`fixtures/help/${name.replace(' ', '-')}.txt`);
});

test('the first help is one screen of 45 lines, and that of `call` fits it', () => {
  expect(helpText(COMMANDS).trimEnd().split('\n').length).toBeLessThanOrEqual(45);
  const call = subcommandsOf(COMMANDS).find(({ name }) => name === 'call')!;
  expect(commandHelp(call, COMMANDS).trimEnd().split('\n').length).toBeLessThanOrEqual(45);
});

test('the help lists every subcommand under its task', () => {
  const text = helpText(COMMANDS);
  for (const { heading, commands } of COMMANDS.tasks) {
    expect(text).toContain(`\n${heading}:\n`);
    for (const { name, summary } of commands) expect(text).toMatch(new RegExp(`^  ${name}\\b.*  ${summary}$`, 'm'));
  }
});

test.each(COMMANDS.topics)('every line of the help about $name fits 100 columns', (topic) => {
  const text = topicHelp(topic, COMMANDS);
  expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
  expect(text.split('\n').length).toBeGreaterThan(5);
});

test('docs/cli.md has the usage of every subcommand, and every option of the page', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  for (const command of subcommandsOf(COMMANDS)) expect(page).toContain(`mcp-inspect ${usageOf(command)}`);
  for (const { name } of COMMANDS.main.options) expect(page).toContain(`--${name}`);
});
