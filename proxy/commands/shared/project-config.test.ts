import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { readServerOptions } from '@/proxy/cli/server-options';
import { testFolder } from '@/proxy/commands/test-folder';
import { keptDecisions } from '@/proxy/files/decisions';
import { findLaunch } from '../headless/on-server';
import { requestOf } from '../test-command-line';
import { findProjectConfig, mayUseProject } from './project-config';

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

test('a project is shown and asked about once for each content', async () => {
  const folder = testFolder({ '.mcp.json': CONFIG });
  const store = keptDecisions(join(folder, 'data/recordings'));
  const config = (await findProjectConfig(folder))!;
  const yes = asking('y');
  expect(await mayUseProject(config, ['a: node a.js'], yes, store)).toBe(true);
  expect(yes.notes).toEqual([`\`${join(folder, '.mcp.json')}\` starts these servers:`, '  a: node a.js']);
  const again = asking('n');
  expect(await mayUseProject(config, [], again, store)).toBe(true);
  expect(again.asked()).toBe(0);
  // Without a terminal, an earlier decision holds.
  expect(await mayUseProject(config, [], asking(undefined, false), store)).toBe(true);
  writeFileSync(join(folder, '.mcp.json'), CONFIG.replace('a.js', 'b.js'));
  const changed = (await findProjectConfig(folder))!;
  const no = asking('');
  expect(await mayUseProject(changed, [], no, store)).toBe(false);
  expect(no.asked()).toBe(1);
  const later = asking('y');
  expect(await mayUseProject(changed, [], later, store)).toBe(false);
  expect(later.notes.join()).toContain(
    `as you decided. To use it, add \`--config ${relative(process.cwd(), config.path)}\`.`,
  );
  expect(readFileSync(join(folder, 'data/project-configs.json'), 'utf8')).toContain(config.digest);
});

test('a project is refused without a terminal, and asked about again if nobody answers', async () => {
  const folder = testFolder({ '.mcp.json': CONFIG });
  const store = keptDecisions(join(folder, 'data/recordings'));
  const config = (await findProjectConfig(folder))!;
  const nobody = asking(undefined, false);
  expect(await mayUseProject(config, [], nobody, store)).toBe(false);
  expect(nobody.notes.join()).toContain('without a terminal, it can’t ask whether you trust it');
  expect(await mayUseProject(config, [], asking(undefined), store)).toBe(false);
  expect(existsSync(join(folder, 'data/project-configs.json'))).toBe(false);
  const other = testFolder({ '.mcp.json': CONFIG });
  expect((await findProjectConfig(other))!.digest).not.toBe(config.digest);
});

test('a folder without a config has none', async () => {
  expect(await findProjectConfig(testFolder())).toBeUndefined();
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
  expect(nobody.notes.join()).toContain('without a terminal, it can’t ask whether you trust it');
  expect(await launch(nobody, '--server', 'run', '--config', '.mcp.json')).toMatchObject({ command: 'node' });
  const yes = asking('y');
  expect(await launch(yes, '--server', 'run')).toMatchObject({ command: 'node' });
  expect(yes.notes).toContain(`  run: node a.js in ${project}`);
  await expect(launch(asking(), '--server', 'web')).rejects.toThrow('the key of a model, which');
});
