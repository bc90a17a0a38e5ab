import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { requestOf } from '@/proxy/commands/test-command-line';
import { testFolder } from '@/proxy/commands/test-folder';
import { chatEntries } from './chat-entries';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Lists the servers of `chat` in a project with this config, and answers the questions. */
function projectWith(path: string, config: object) {
  const [home, project] = [testFolder(), realpathSync(testFolder())];
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, home);
  vi.stubEnv('XDG_DATA_HOME', join(home, 'data'));
  vi.spyOn(process, 'cwd').mockReturnValue(project);
  const notes: string[] = [];
  const questions: string[] = [];
  const entries = async (answer: string | undefined, ...options: string[]) => {
    const ask = async (question: string) => {
      questions.push(question);
      return answer;
    };
    const asking = { ask: answer === undefined ? undefined : ask, printNote: (line: string) => void notes.push(line) };
    return (await chatEntries(requestOf('chat', ...options), join(home, 'dist'), asking)).entries;
  };
  return { file, notes, questions, entries };
}

const COMMAND = { command: 'node', args: ['evil.js'] };

test.each([
  ['.mcp.json', 'mcpServers'],
  ['.cursor/mcp.json', 'mcpServers'],
  ['.vscode/mcp.json', 'servers'],
])('--server asks about a server of the project’s %s, and starts none without a terminal', async (path, key) => {
  const { file, notes, questions, entries } = projectWith(path, { [key]: { work: COMMAND, other: COMMAND } });
  await expect(entries(undefined, '--server', 'work')).rejects.toThrow('a project’s config that you did not agree to');
  expect(notes.join('\n')).toContain('without a terminal, or with CI set, it can’t ask whether you trust it');
  await expect(entries('', '--server', 'work')).rejects.toThrow(`\`work\` is in \`${file}\``);
  expect(notes.join('\n')).toContain('  other: node evil.js in ');
  writeFileSync(file, JSON.stringify({ [key]: { work: COMMAND } }));
  expect(await entries('y', '--server', 'work', '--server', 'work')).toHaveLength(2);
  expect(questions).toHaveLength(2);
  // The decision is kept.
  expect(await entries(undefined, '--server', 'work')).toHaveLength(1);
  expect(await entries(undefined, '--config', path, '--server', 'work')).toHaveLength(1);
});

test('the question shows what each server gets, as it is written, and the keys of models stay here', async () => {
  const { file, notes, entries } = projectWith('.mcp.json', {
    mcpServers: {
      web: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer ${OPENAI_API_KEY}' } },
      run: {
        command: 'node',
        args: ['${env:Gemini_Api_Key:-x}'],
        env: { NODE_OPTIONS: '--import ./x.mjs', B: '\u001b[2J\n  b: fake' },
      },
    },
  });
  vi.stubEnv('OPENAI_API_KEY', 'key-of-a-model');
  const [web, run] = await entries('y');
  expect(notes).toEqual([
    `\`${file}\` starts these servers:`,
    '  web: http://127.0.0.1:9/mcp',
    '      Authorization: Bearer ${OPENAI_API_KEY}',
    '  run: node "${env:Gemini_Api_Key:-x}"',
    '      NODE_OPTIONS=--import ./x.mjs (decides what code runs)',
    '      B=\\u001b[2J\\u000a  b: fake',
  ]);
  const refused = (placeholder: string) => `The project’s config asks for ${placeholder}, the key of a model, which`;
  expect(await web!.launch()).toMatchObject({ message: expect.stringContaining(refused('${OPENAI_API_KEY}')) });
  expect(await run!.launch()).toMatchObject({ message: expect.stringContaining(refused('${env:Gemini_Api_Key:-x}')) });
  await expect(entries(undefined, '--server', 'web')).rejects.toThrow(refused('${OPENAI_API_KEY}'));
  // Somebody named this config.
  const [named] = await entries(undefined, '--config', '.mcp.json');
  expect(JSON.stringify(await named!.launch())).toContain('Bearer key-of-a-model');
});
