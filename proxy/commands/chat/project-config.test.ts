import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { findProjectConfig, keptDecisions, mayUseProject } from './project-config';
import { testFolder } from './test-chat-command';

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
  expect(nobody.notes.join()).toContain('there is no terminal to ask whether you trust it');
  expect(await mayUseProject(config, [], asking(undefined), store)).toBe(false);
  expect(existsSync(join(folder, 'data/project-configs.json'))).toBe(false);
  const other = testFolder({ '.mcp.json': CONFIG });
  expect((await findProjectConfig(other))!.digest).not.toBe(config.digest);
});

test('a folder without a config has none', async () => {
  expect(await findProjectConfig(testFolder())).toBeUndefined();
});
