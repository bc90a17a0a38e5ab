import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueAt } from '@/lib/json/edit';
import { readTap } from '@/proxy/servers/tap-words';
import { type ConfigText, commandOf, type Edited, entryPath, readConfigText, tapEntry, untapEntry } from './edit-entry';
import { generatedConfig } from './test-configs';

/** Random configs of a property. */
const CONFIGS = process.env.TEST_LONG ? 200 : 40;

const TAP = ['/usr/bin/node', 'C:\\mcp-inspect\\dist\\cli.js', 'tap', '--host', 'zed', '--name', 'it’s "x"', '--'];

async function read(text: string, format: 'json' | 'toml' = 'json'): Promise<ConfigText> {
  const config = await readConfigText(text, format);
  if ('wrong' in config) throw new Error(`${config.wrong}\n${text}`);
  return config;
}

function changed(edited: Edited): Exclude<Edited, { readonly wrong: string }> {
  if ('wrong' in edited) throw new Error(edited.wrong);
  return edited;
}

async function tapped(text: string, format: 'json' | 'toml' = 'json', key: readonly string[] = ['mcpServers']) {
  const config = await read(text, format);
  const entry = entryPath(config, key, 'a')!;
  return { before: config, entry, ...changed(await tapEntry(config, entry, TAP)) };
}

test('tap, then untap: the bytes of any config of eight hosts are as before', async () => {
  await fc.assert(
    fc.asyncProperty(generatedConfig, async ({ text, format, key, name, words }) => {
      const config = await read(text, format);
      const entry = entryPath(config, key, name)!;
      const tap = changed(await tapEntry(config, entry, TAP)).config;
      const value = valueAt(tap.value, entry) as { command: unknown; args?: readonly string[] };
      const { command } = value;
      const path = typeof command === 'object' && command !== null && 'path' in command ? (command as never) : value;
      const { path: program = command, args = [] } = path as { path?: unknown; args?: readonly string[] };
      const all = Array.isArray(command) ? command : [program, ...args];
      expect(readTap(all as string[])).toEqual({ ours: TAP, server: words });
      const back = changed(
        await untapEntry(tap, entry, !(commandOf(config, entry) as { hasList: boolean }).hasList),
      ).config;
      expect(back.text).toBe(text);
    }),
    { numRuns: CONFIGS },
  );
});

test('a host that writes its config again between the two: the bytes are those it would have written', async () => {
  const written = fc.record({ config: generatedConfig, indent: fc.constantFrom(undefined, 1, 2, '\t') });
  await fc.assert(
    fc.asyncProperty(written, async ({ config: { text, format, key, name }, indent }) => {
      if (format === 'toml') return;
      const config = await read(text);
      const entry = entryPath(config, key, name)!;
      const tap = changed(await tapEntry(config, entry, TAP)).config;
      const again = await read(JSON.stringify(tap.value, null, indent));
      const { hasList } = commandOf(config, entry) as { hasList: boolean };
      const back = changed(await untapEntry(again, entry, !hasList)).config;
      expect(back.text).toBe(JSON.stringify(config.value, null, indent));
    }),
    { numRuns: CONFIGS },
  );
});

test.each([
  ['json', '{"mcpServers":{"a":{"command":"x"}}}'],
  ['json', '{"mcpServers": {"a": {"args": [ /* none */ ], "command": "first", "command": "x"}}}'],
  ['json', '{"mcpServers": {"a": {"command": "no"}, "a": {"command": "x", "args": []}}}'],
  ['json', '{\r\n\t"mcpServers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x" // args: ["y"]\r\n\t\t}\r\n\t}\r\n}'],
  ['toml', 'mcp_servers.a.command = "x" # last line'],
  ['toml', '[mcp_servers]\na = { command = "x" }\n'],
  ['toml', "['mcp_servers' . \"\\u0061\"]\r\n  command='''x''' # c\r\n[mcp_servers.a.env]\r\nargs = ['no']"],
  ['toml', '[mcp_servers.a]\nargs = [\n  # none\n]\ncommand = """\\\n  x"""\n'],
] as const)('%s with no arguments: %s', async (format, text) => {
  const { before, entry, config } = await tapped(text, format, format === 'toml' ? ['mcp_servers'] : undefined);
  const words = (commandOf(config, entry) as { words: readonly string[] }).words;
  expect(words).toEqual([...TAP, 'x']);
  const { hasList } = commandOf(before, entry) as { hasList: boolean };
  expect(changed(await untapEntry(config, entry, !hasList)).config.text).toBe(text);
});

test('without a note of the install, an added list of arguments stays as an empty one', async () => {
  const { entry, config } = await tapped('{"mcpServers": {"a": {"command": "x"}}}');
  const { text } = changed(await untapEntry(config, entry, false)).config;
  expect(text).toBe('{"mcpServers": {"a": {"command": "x", "args": []}}}');
});

test('arguments go one to a line where the first one does', async () => {
  const { config } = await tapped('{"mcpServers": {"a": {"command": "x", "args": [\n      "y", "z"\n    ]}}}');
  expect(config.text).toMatch(/"args": \[\n {6}"C:\\\\mcp-inspect\\\\dist\\\\cli.js",\n {6}"tap",\n/);
  expect(config.text).toMatch(/\n {6}"--",\n {6}"x",\n {6}"y", "z"\n {4}\]/);
});

test('a comment between the words of the tap is not lost', async () => {
  const { entry, config } = await tapped('{"mcpServers": {"a": {"command": "x", "args": ["y"]}}}');
  const noted = await read(config.text.replace('"tap",', '"tap", /* mine */'));
  expect(await untapEntry(noted, entry, false)).toEqual({ wrong: expect.stringContaining('There is a comment') });
});

test('options that a person added to the tap go with it', async () => {
  const text = '{"mcpServers": {"a": {"command": "x", "args": ["y"]}}}';
  const { entry, config } = await tapped(text);
  const edited = await read(config.text.replace('"tap",', '"tap", "--rotate", "size=10MB",'));
  expect(changed(await untapEntry(edited, entry, false)).config.text).toBe(text);
});

test.each([
  ['{"mcpServers": {"a": {"command": "x", "args": "y"}}}', 'Its arguments are not a list of strings.'],
  ['{"mcpServers": {"a": {"command": "x", "args": [["y"]]}}}', 'Its arguments are not a list of strings.'],
  ['{"mcpServers": {"a": {"command": 5}}}', 'It has no command.'],
  ['{"mcpServers": {"a": {"command": []}}}', 'It has no command.'],
])('%s is left alone', async (text, wrong) => {
  const config = await read(text);
  expect(await tapEntry(config, ['mcpServers', 'a'], TAP)).toEqual({ wrong });
});

test('attack: an entry that a TOML list of tables only seems to be is left alone', async () => {
  const text = '[[mcp_servers]]\n[mcp_servers.a]\ncommand = "x"\n';
  expect(entryPath(await read(text, 'toml'), ['mcp_servers'], 'a')).toBeUndefined();
});

test('attack: a large config with many comments and brackets takes no quadratic time', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `k${at} = "[#" # [x] ${at}`).join('\n');
  const { config } = await tapped(`${lines}\n[mcp_servers.a]\ncommand = "x"`, 'toml', ['mcp_servers']);
  expect(config.text).toContain('"tap"');
});
