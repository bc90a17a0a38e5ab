import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, packageFolder, runBin, test } from './bin';

// Chat and evals without a page: the packed bin, scripted models, and real servers of both eras.

const SERVERS = join(import.meta.dirname, 'servers');
const real = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(SERVERS, `node_modules/@modelcontextprotocol/${name}/dist/index.js`), ...args],
});

test('the examples of evals run offline as they stand', async () => {
  const folder = join(packageFolder(), 'examples/eval');
  const files = ['lighthouse.yaml', 'two-servers.yaml'].map((name) => join(folder, name));
  const [first, again] = [await runBin(['eval', ...files, '--json']), await runBin(['eval', ...files, '--json'])];
  expect(first).toMatchObject({ ended: 0, stderr: '' });
  const [report, other] = [JSON.parse(first.stdout), JSON.parse(again.stdout)];
  expect(Object.keys(report)).toEqual(['cases', 'confusion', 'totals']);
  expect(report.totals).toMatchObject({ runs: 10, passed: 10 });
  expect(other.confusion).toEqual(report.confusion);
});

const RULES = `
rules:
  - when: { matches: 'store the note (?<path>\\S+)' }
    call: { tool: read_text_file, arguments: { path: '{{path}}' } }
  - when: { tool: read_text_file }
    call:
      - { tool: create_entities, arguments: { entities: [{ name: note, entityType: text, observations: ['{{result}}'] }] } }
      - { tool: echo, server: everything, arguments: { message: stored } }
      - { tool: grow, server: modern }
  - when: { tool: create_entities }
    say: '{{results.echo}}'
`;

test('a question that needs several servers of both eras gets an answer', async ({ start: _ }, { outputDir }) => {
  mkdirSync(join(outputDir, 'files'), { recursive: true });
  const note = join(outputDir, 'files/note.txt');
  writeFileSync(note, 'The lamp needs oil.');
  writeFileSync(join(outputDir, 'rules.yaml'), RULES);
  const memory = { ...real('server-memory'), env: { MEMORY_FILE_PATH: join(outputDir, 'memory.json') } };
  const modern = { command: process.execPath, args: [join(SERVERS, 'modern-server.mjs'), 'reject'] };
  const files = real('server-filesystem', join(outputDir, 'files'));
  const mcpServers = { everything: real('server-everything'), files, memory, modern };
  writeFileSync(join(outputDir, 'mcp.json'), JSON.stringify({ mcpServers }));
  const ask = ['chat', `store the note ${note}`, '--model', 'scripted:rules.yaml', '--config', 'mcp.json'];
  const allow = ['--allow', 'read_text_file,create_entities,echo'];
  const { ended, stdout } = await runBin([...ask, '--json', ...allow, '--record', 'chat.mcpr.jsonl'], {
    cwd: outputDir,
  });
  expect(ended).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    answer: 'Echo: stored',
    calls: [{ server: 'files' }, { server: 'memory', state: 'done' }, { server: 'everything' }, { state: 'refused' }],
  });
  expect(readFileSync(join(outputDir, 'memory.json'), 'utf8')).toContain('The lamp needs oil.');
  expect(readdirSync(outputDir).filter((name) => name.endsWith('.mcpr.jsonl'))).toHaveLength(5);
  const replayed = await runBin(['chat', '--model', 'recorded:chat.mcpr.jsonl'], { cwd: outputDir });
  expect(replayed).toMatchObject({ ended: 0, stdout: '1 answer replayed: the model would have seen the same.\n' });
});

test('a chat without a terminal, and a project that nobody trusts, are refused', async ({ start: _ }, {
  outputDir,
}) => {
  mkdirSync(outputDir, { recursive: true });
  writeFileSync(join(outputDir, 'rules.yaml'), 'rules: [{ say: hi }]');
  writeFileSync(
    join(outputDir, '.mcp.json'),
    JSON.stringify({ mcpServers: { evil: { command: 'touch', args: ['started'] } } }),
  );
  const options = { cwd: outputDir, env: { HOME: outputDir, USERPROFILE: outputDir } };
  const chat = await runBin(['chat', '--model', 'scripted:rules.yaml', '--demo'], options);
  expect(chat).toMatchObject({ ended: 2, stdout: '' });
  expect(chat.stderr).toContain('A chat needs a terminal.');
  const home = { ...options, env: { HOME: join(outputDir, 'home'), USERPROFILE: join(outputDir, 'home') } };
  const print = await runBin(['chat', 'hello', '--model', 'scripted:rules.yaml'], home);
  expect(print).toMatchObject({ ended: 2, stdout: '' });
  expect(print.stderr).toContain('without a terminal, or with CI set, it can’t ask whether you trust it');
  expect(readdirSync(outputDir)).not.toContain('started');
});
