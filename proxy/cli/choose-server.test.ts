import { expect, test } from 'vitest';
import { findIn, testHome } from '../servers/test-home';
import { chooseServer } from './choose-server';

const config = (...names: string[]) => ({
  mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])),
});

async function choose(wanted: string, files: Readonly<Record<string, string | object>>) {
  const { servers, skipped } = await findIn(testHome(files));
  return chooseServer(wanted, servers, skipped);
}

const files = {
  '.cursor/mcp.json': config('files', 'both', 'cursor/odd'),
  '.warp/.mcp.json': config('both', 'twice', 'shell'),
  '.aws/amazonq/mcp.json': config('twice', 'mine'),
  '.amazonq/mcp.json': config('mine'),
};

test.each([
  ['files', 'Using `files` of Cursor, from `'],
  ['warp/both', 'Using `both` of Warp, from `'],
  ['cursor/odd', 'Using `cursor/odd` of Cursor'],
])('%s', async (wanted, note) => {
  expect(await choose(wanted, files)).toMatchObject({ note: expect.stringContaining(note) });
});

test('a name that several hosts have is an error that lists them', async () => {
  expect(await choose('both', files)).toEqual({
    wrong: 'Several hosts have a server `both`. Name one of them: `cursor/both`, `warp/both`.',
  });
});

test('of two files of one host, the first is chosen, and the other one is named', async () => {
  const choice = await choose('mine', files);
  expect(choice).toMatchObject({
    note: expect.stringMatching(/from `.*\.amazonq\/mcp\.json`\. It is also in `.*\.aws/),
  });
});

test.each([
  ['fils', 'did you mean `files`?'],
  ['warp/bot', 'did you mean `warp/both`?'],
  ['nothing-like-it', 'They have `files`, `both`, `cursor/odd`'],
])('%s is unknown', async (wanted, sentence) => {
  expect(await choose(wanted, files)).toMatchObject({ wrong: expect.stringContaining(sentence) });
});

test('says that there are no servers, or that a config was not read', async () => {
  expect(await choose('x', {})).toEqual({
    wrong: 'No config on this machine has a server `x`, or any other. Name a config with `--config FILE`.',
  });
  expect(await choose('x', { '.cursor/mcp.json': '{' })).toMatchObject({
    wrong: expect.stringContaining('1 config could not be read completely: run `mcp-inspect servers`.'),
  });
});

test('cuts very long names, and does not compare them', async () => {
  const long = 'x'.repeat(5_000_000);
  const choice = await choose('short', { '.cursor/mcp.json': config(long) });
  expect(choice).toMatchObject({ wrong: expect.stringMatching(/They have `x{199}…`/) });
});
