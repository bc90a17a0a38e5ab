import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { ROOT, runKept, TWO_SERVERS, testFolder } from '../chat/test-chat-command';
import { evaluate } from './eval';

const EXAMPLES = ['lighthouse.yaml', 'two-servers.yaml'].map((name) => join(ROOT, 'examples/eval', name));
const folder = testFolder({
  'rules.yaml': `
rules:
  - when: { text: tide }
    call: { tool: next_high_water, arguments: { port: Kirkwall, after: '01:00' } }
  - when: { text: book }
    call: { tool: book_berth, arguments: { port: Lerwick, ship: Solan } }
  - when: { error: true }
    say: sorry
  - when: { result: High }
    say: '{{result}}'
`,
});

/** Writes a file of cases with both servers and the script. */
function cases(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `config: ${JSON.stringify(TWO_SERVERS)}\nmodel: scripted:rules.yaml\n${text}`);
  return file;
}

const run = (...argv: string[]) => runKept(evaluate, ['eval', ...argv]);

test('the examples pass offline as they stand, each time with the same matrix', async () => {
  const first = await run(...EXAMPLES, '--json');
  const again = await run(...EXAMPLES, '--json', '--jobs', '5', '--repeat', '2');
  expect(first).toMatchObject({ code: EXIT.fine, notes: [] });
  const [report, other] = [JSON.parse(first.stdout), JSON.parse(again.stdout)];
  expect(Object.keys(report)).toEqual(['cases', 'confusion', 'totals']);
  expect(report.totals).toMatchObject({ runs: 10, passed: 10, failed: 0, passRate: 1, refused: 0 });
  const pairs = (confusion: { expected: string; chosen: string }[]) =>
    confusion.map(({ expected, chosen }) => [expected, chosen]);
  expect(pairs(other.confusion)).toEqual(pairs(report.confusion));
  const third = await run(...EXAMPLES, '--json');
  expect(JSON.parse(third.stdout).confusion).toEqual(report.confusion);
});

const PICKY = `
cases:
  - name: tide
    prompt: When is the tide?
    expect: { tool: next_high_water, arguments: { port: Lerwick, after: '01:00' } }
  - name: berth
    prompt: Please book.
    expect: { tool: book_berth }
`;

test('a failure names its turn and its frames', async () => {
  const file = cases('picky.yaml', PICKY);
  const [records, junit] = [join(folder, 'records'), join(folder, 'out.xml')];
  const { code, stdout, notes } = await run(
    ...[file, '--json', '--allow', 'read-only', '--record', records, '--junit', junit],
  );
  expect(code).toBe(EXIT.serverError);
  const { cases: found, confusion, totals } = JSON.parse(stdout);
  expect(totals).toMatchObject({ runs: 2, passed: 1, failed: 1, refused: 1 });
  expect(confusion).toHaveLength(2);
  const [failure] = found[0].failures;
  expect(failure).toMatchObject({
    ...{ repeat: 1, text: 'High water in Kirkwall is at 03:35.', turn: 't2' },
    reasons: [
      'The arguments of `tides__next_high_water` are {"port":"Kirkwall","after":"01:00"}, expected {"port":"Lerwick","after":"01:00"}.',
    ],
    calls: [{ name: 'tides__next_high_water', decision: 'run', server: 'tides' }],
  });
  // Its turn is in the recorded chat, and its frame in the recorded connection.
  expect(readFileSync(failure.recording, 'utf8')).toContain(`"turn":"${failure.turn}"`);
  const names = readdirSync(records);
  expect(names).toHaveLength(4);
  const { connection, frame } = failure.calls[0];
  const texts = names.map((name) => readFileSync(join(records, name), 'utf8'));
  const wire = texts.find((text) => text.startsWith(`{"mcpr":2,"id":"${connection}"`))!;
  expect(wire.split('\n')[frame]).toContain('"tools/call"');
  expect(notes.join('\n')).toContain('1 call was refused, because nobody allowed it.');
  expect(readFileSync(junit, 'utf8')).toContain('tests="2" failures="1"');
  await expect(run(file, '--record', records)).rejects.toThrow('is not empty');
});

test('prints failures and confusion for people, and compares two evals', async () => {
  const file = cases('compared.yaml', PICKY);
  const before = join(folder, 'before.json');
  writeFileSync(before, (await run(file, '--json')).stdout);
  const { stdout } = await run(file, '--against', before, '--repeat', '2');
  expect(stdout).toContain(`tide (${file}, line 5) with scripted:rules.yaml:`);
  expect(stdout).toMatch(/EXPECTED +CALLED +RUNS/);
  expect(stdout).toContain('2 of 4 runs passed, 50% (15% to 85%).');
  expect(stdout).toContain('No case has another pass rate.');
  await expect(run(file, '--against', file)).rejects.toThrow('is not a report');
});

test('starts new servers for each run of a case that wants them', async () => {
  const file = cases('fresh.yaml', `fresh: true\nrepeat: 3\n${PICKY}`);
  const records = join(folder, 'fresh');
  await run(file, '--record', records, '--json');
  expect(readdirSync(records).filter((name) => name.includes('-tides.'))).toHaveLength(6);
});

test.each<[string, string]>([
  ['cases: []', '`cases` is empty'],
  [
    'cases: [{ prompt: a, servers: [tide], expect: { mostCalls: 1 } }]',
    'line 3: the config has no server `tide`: did you mean `tides`?',
  ],
  ['model: x', 'Map keys must be unique'],
])('%j is refused', async (text, sentence) => {
  const failing = run(cases('wrong.yaml', text));
  await expect(failing).rejects.toThrow(sentence === 'Map keys must be unique' ? 'not valid YAML' : sentence);
});

test('refuses files and options that lack something', async () => {
  await expect(run(join(folder, 'none.yaml'))).rejects.toThrow('there is no such file');
  writeFileSync(join(folder, 'bare.yaml'), PICKY);
  await expect(run(join(folder, 'bare.yaml'))).rejects.toThrow('names no model');
  const model = `scripted:${join(folder, 'rules.yaml')}`;
  await expect(run(join(folder, 'bare.yaml'), '--model', model)).rejects.toThrow('names no config');
  const file = cases('gone.yaml', PICKY);
  writeFileSync(join(folder, 'gone.json'), '{"mcpServers":{"gone":{"command":"no-such-program"}}}');
  const gone = await run(file, '--config', join(folder, 'gone.json'));
  expect(gone.code).toBe(EXIT.noConnection);
  expect(gone.stdout).toContain('gone: The command no-such-program was not found.');
});

test('a server that does not start fails its runs only', async () => {
  const text = readFileSync(TWO_SERVERS, 'utf8').replaceAll('${workspaceFolder}', dirname(TWO_SERVERS));
  const config = JSON.parse(text);
  config.mcpServers.gone = { command: 'no-such-program' };
  writeFileSync(join(folder, 'one-gone.json'), JSON.stringify(config));
  const file = cases(
    'one-gone.yaml',
    `
fresh: true
cases:
  - { name: tide, prompt: Is it tide?, servers: [gone], expect: { mostCalls: 1 } }
  - { name: hello, prompt: tide, servers: [tides], expect: { mostCalls: 1 } }
`,
  );
  const { code, stdout } = await run(file, '--config', join(folder, 'one-gone.json'), '--json');
  expect(code).toBe(EXIT.serverError);
  expect(JSON.parse(stdout).totals.runs).toBe(2);
  expect(stdout).toContain('gone: The command no-such-program was not found.');
});

test('records cases with names that make equal or long file names', async () => {
  const long = '潮'.repeat(200);
  const names = ["what's up?", "what's up!", `${long}1`, `${long}2`];
  const list = names.map((name) => `  - { name: ${JSON.stringify(name)}, prompt: tide, expect: { mostCalls: 1 } }`);
  const records = join(folder, 'equal');
  const { stdout } = await run(
    cases('equal.yaml', `fresh: true\ncases:\n${list.join('\n')}\n`),
    ...['--record', records, '--json'],
  );
  expect(JSON.parse(stdout).totals.runs).toBe(4);
  const files = readdirSync(records);
  expect(files).toHaveLength(12);
  for (const name of files) expect(Buffer.byteLength(name)).toBeLessThan(200);
});
