import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { readServerOptions } from '@/proxy/cli/server-options';
import { testFolder } from '@/proxy/commands/test-folder';
import { type DecisionStore, foundFile, keptDecisions } from '@/proxy/files/decisions';
import { fillEntry, readConfigFile, withEnvFile } from '@/proxy/servers/config-file';
import { findLaunch } from '../headless/on-server';
import { requestOf } from '../test-command-line';
import type { Asking } from './ask-inputs';
import { agreeBy, NotAgreed } from './project-config';

const CONFIG = '{"mcpServers":{"a":{"command":"node","args":["a.js"]}}}';

/** Asks with an answer, and keeps what is printed. */
function asking(answer?: string, isTerminal = true) {
  const notes: string[] = [];
  let asked = 0;
  const ask = async (): Promise<string | undefined> => {
    asked++;
    return answer;
  };
  return {
    ask: isTerminal ? ask : undefined,
    printNote: (line: string) => void notes.push(line),
    notes,
    asked: () => asked,
  };
}

const SHOWN = '  a: node a.js';

/** Asks about the config in a folder. Resolves with the variables that its servers get, if they may start. */
async function agreed(folder: string, asking: Asking, store: DecisionStore) {
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const path = join(folder, '.mcp.json');
  const read = await readConfigFile(path);
  if ('wrong' in read) throw new Error(read.wrong);
  const context = { environment: {}, cwd: folder, inputs: new Map() };
  const servers = read.entries.map((entry) => fillEntry(entry, path, context));
  try {
    const files = await agreeBy(asking, store)({ path, ...read, servers });
    return await Promise.all(servers.map(async (server) => (await withEnvFile(server, files)).env));
  } catch (error) {
    if (error instanceof NotAgreed) return undefined;
    throw error;
  }
}

test('a project is shown and asked about once for each content', async () => {
  const folder = testFolder({ '.mcp.json': CONFIG });
  const store = keptDecisions(join(folder, 'data/recordings'));
  const yes = asking('y');
  expect(await agreed(folder, yes, store)).toBeDefined();
  expect(yes.notes).toEqual([`\`${join(folder, '.mcp.json')}\` starts these servers:`, SHOWN]);
  const again = asking('n');
  expect(await agreed(folder, again, store)).toBeDefined();
  expect(again.asked()).toBe(0);
  // Without a terminal, an earlier decision holds.
  expect(await agreed(folder, asking(undefined, false), store)).toBeDefined();
  writeFileSync(join(folder, '.mcp.json'), CONFIG.replace('a.js', 'b.js'));
  const no = asking('');
  expect(await agreed(folder, no, store)).toBeUndefined();
  expect(no.asked()).toBe(1);
  const later = asking('y');
  expect(await agreed(folder, later, store)).toBeUndefined();
  expect(later.notes.join()).toContain('as you decided. To use it, add `--config .mcp.json`.');
  const { digest } = foundFile(join(folder, '.mcp.json'), CONFIG);
  expect(readFileSync(join(folder, 'data/project-configs.json'), 'utf8')).toContain(digest);
});

test('a project is refused without a terminal, and asked about again if nobody answers', async () => {
  const folder = testFolder({ '.mcp.json': CONFIG });
  const store = keptDecisions(join(folder, 'data/recordings'));
  const nobody = asking(undefined, false);
  expect(await agreed(folder, nobody, store)).toBeUndefined();
  expect(nobody.notes.join()).toContain('without a terminal, or with CI set, it can’t ask whether you trust it');
  expect(await agreed(folder, asking(undefined), store)).toBeUndefined();
  expect(existsSync(join(folder, 'data/project-configs.json'))).toBe(false);
  // The same content elsewhere is another project.
  expect(await agreed(folder, asking('y'), store)).toBeDefined();
  expect(await agreed(testFolder({ '.mcp.json': CONFIG }), asking(undefined), store)).toBeUndefined();
});

test('nobody is asked twice in a run, also where no decision can be kept', async () => {
  const folder = testFolder({ '.mcp.json': CONFIG });
  const store = { read: async () => undefined, keep: async () => {} };
  const yes = asking('y');
  expect(await agreed(folder, yes, store)).toBeDefined();
  expect(await agreed(folder, yes, store)).toBeDefined();
  expect(yes.asked()).toBe(1);
});

test('attack: variables that change after a person agreed, or in between, are not used', async () => {
  const config = CONFIG.replace('"command"', '"envFile":"${workspaceFolder}/dev.env","command"');
  const folder = testFolder({ '.mcp.json': config, 'dev.env': 'TOKEN=secret\nNODE_OPTIONS=--no-warnings' });
  const store = keptDecisions(join(folder, 'data/recordings'));
  const yes = asking('y');
  const swapped = {
    ...yes,
    ask: async () => {
      writeFileSync(join(folder, 'dev.env'), 'NODE_OPTIONS=--require=./evil.js');
      return 'y';
    },
  };
  expect(await agreed(folder, swapped, store)).toEqual([{ TOKEN: 'secret', NODE_OPTIONS: '--no-warnings' }]);
  const [, , , heading, ...variables] = yes.notes;
  expect(heading).toBe(`  variables of ${join(folder, 'dev.env')}:`);
  expect(variables.sort()).toEqual(['      NODE_OPTIONS=--no-warnings (decides what code runs)', '      TOKEN']);
  expect(await agreed(folder, asking('n'), store)).toBeUndefined();
});

test('a path of variables that an input decides is refused, since nobody could agree to it', async () => {
  const inputs = [{ id: 'stage', type: 'promptString' }];
  const servers = { a: { command: 'node', envFile: '${input:stage}.env' } };
  const folder = testFolder({ '.mcp.json': JSON.stringify({ inputs, servers }) });
  const asked = agreed(folder, asking('y'), keptDecisions(join(folder, 'data/recordings')));
  await expect(asked).rejects.toThrow('The path of the `envFile` of `a` has an input.');
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('every subcommand asks about a project, and gives it no key of a model', async () => {
  const web = { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer ${OPENAI_API_KEY}' } };
  const mcpServers = { run: { command: 'node', args: ['a.js'] }, web };
  const project = realpathSync(testFolder({ '.mcp.json': JSON.stringify({ mcpServers }) }));
  const home = testFolder();
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, home);
  vi.stubEnv('XDG_DATA_HOME', join(home, 'data'));
  vi.stubEnv('OPENAI_API_KEY', 'key-of-a-model');
  vi.spyOn(process, 'cwd').mockReturnValue(project);
  const launch = (who: ReturnType<typeof asking>, ...words: string[]) =>
    findLaunch(readServerOptions(requestOf('list', ...words)), join(home, 'dist'), 'auto', who);
  const nobody = asking(undefined, false);
  await expect(launch(nobody, '--server', 'run')).rejects.toThrow('a project’s config that you did not agree to use');
  expect(nobody.notes.join()).toContain('without a terminal, or with CI set, it can’t ask whether you trust it');
  expect(await launch(nobody, '--server', 'run', '--config', '.mcp.json')).toMatchObject({ command: 'node' });
  const yes = asking('y');
  expect(await launch(yes, '--server', 'run')).toMatchObject({ command: 'node' });
  expect(yes.notes).toContain(`  run: node a.js in ${project}`);
  await expect(launch(asking(), '--server', 'web')).rejects.toThrow('the key of a model, which');
});
