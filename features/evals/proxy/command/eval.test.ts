import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROOT, runKept, TWO_SERVERS, writeLeakyServer } from '@/features/chat/proxy/command/test-chat-command';
import { EXIT } from '@/proxy/cli/exit-code';
import { testFolder } from '@/proxy/commands/test-folder';
import { requireShape } from '@/proxy/commands/test-output-shape';
import { KeptEvals } from '../kept-evals';
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

// Finished runs are kept there.
beforeAll(() => {
  vi.stubEnv('MCP_INSPECT_HOME', join(folder, 'home'));
});
afterAll(() => {
  vi.unstubAllEnvs();
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
  const again = await run(...EXAMPLES, '--json', '--jobs', '5', '--times', '2');
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
    file,
    '--json',
    '--allow',
    'read-only',
    '--out',
    records,
    '--report',
    `junit=${junit}`,
  );
  expect(code).toBe(EXIT.serverError);
  requireShape('eval', stdout);
  const { cases: found, confusion, totals } = JSON.parse(stdout);
  expect(totals).toMatchObject({ runs: 2, passed: 1, failed: 1, refused: 1 });
  expect(confusion).toHaveLength(2);
  const [failure] = found[0].failures;
  expect(failure).toMatchObject({
    repeat: 1,
    text: 'High water in Kirkwall is at 03:35.',
    turn: 't2',
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
  await expect(run(file, '--out', records)).rejects.toThrow('is not empty');
});

test('prints failures and confusion for people, and compares two evals', async () => {
  const file = cases('compared.yaml', PICKY);
  const before = join(folder, 'before.json');
  writeFileSync(before, (await run(file, '--json')).stdout);
  const { stdout } = await run(file, '--baseline', before, '--times', '2');
  expect(stdout).toContain(`tide (${file}, line 5) with scripted:rules.yaml:`);
  // Nothing was recorded.
  expect(stdout).not.toContain('is frame');
  expect(stdout).toMatch(/EXPECTED +CALLED +RUNS/);
  expect(stdout).toContain('2 of 4 runs passed, 50% (15% to 85%).');
  expect(stdout).toContain('No case has another pass rate.');
  await expect(run(file, '--baseline', file)).rejects.toThrow('is not a report');
});

test('starts new servers for each run of a case that wants them', async () => {
  const file = cases('fresh.yaml', `fresh: true\nrepeat: 3\n${PICKY}`);
  const records = join(folder, 'fresh');
  await run(file, '--out', records, '--json');
  expect(readdirSync(records).filter((name) => name.includes('-tides.'))).toHaveLength(6);
});

test.each<[string, string]>([
  ['cases: []', '`cases` is empty'],
  [
    'cases: [{ prompt: a, servers: [tide], expect: { mostCalls: 1 } }]',
    'line 3: there is no server `tide`: did you mean `tides`?',
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

test('a shared server that does not start fails only the cases that use it, and names in the others are checked', async () => {
  const text = readFileSync(TWO_SERVERS, 'utf8').replaceAll('${workspaceFolder}', dirname(TWO_SERVERS));
  const config = JSON.parse(text);
  config.mcpServers.gone = { command: 'no-such-program' };
  writeFileSync(join(folder, 'shared-gone.json'), JSON.stringify(config));
  const list = (tool: string) => `
cases:
  - { name: gone, prompt: Is it tide?, servers: [gone], expect: { tool: any } }
  - { name: tide, prompt: tide, servers: [tides], expect: { tool: ${tool} } }
`;
  const given = ['--config', join(folder, 'shared-gone.json'), '--json'];
  const { stdout } = await run(cases('shared-gone.yaml', list('next_high_water')), ...given);
  expect(JSON.parse(stdout).totals).toMatchObject({ passed: 1, failed: 0, errors: 1 });
  expect(stdout).toContain('gone: The command no-such-program was not found.');
  await expect(run(cases('shared-gone.yaml', list('next_high_watr')), ...given)).rejects.toThrow('did you mean');
});

test('refuses more runs than fit into memory before it plans them', async () => {
  const list = Array.from({ length: 11 }, (_, at) => `  - { prompt: 'tide ${at}', expect: { mostCalls: 1 } }`);
  const file = cases('many.yaml', `repeat: 1000\ncases:\n${list.join('\n')}\n`);
  await expect(run(file)).rejects.toThrow('11,000 runs');
});

test('a schema that can’t be checked in time is an error of its case', async () => {
  const script = join(folder, 'slow-rules.yaml');
  writeFileSync(
    script,
    `rules:
  - { when: { turn: 1 }, call: { tool: next_high_water, arguments: { port: ${'a'.repeat(40)}! } } }
  - { when: { result: '' }, say: done }
`,
  );
  const file = cases(
    'slow.yaml',
    `repeat: 3
cases:
  - prompt: tide
    expect: { tool: next_high_water, schema: { properties: { port: { type: string, pattern: '^(a+)+$' } } } }
`,
  );
  const { stdout } = await run(file, '--model', `scripted:${script}`, '--json');
  expect(JSON.parse(stdout).totals).toMatchObject({ failed: 0, errors: 3 });
  expect(stdout).toContain('can’t be checked');
});

test('records cases with names that make equal or long file names', async () => {
  const long = '潮'.repeat(200);
  const names = ["what's up?", "what's up!", `${long}1`, `${long}2`];
  const list = names.map((name) => `  - { name: ${JSON.stringify(name)}, prompt: tide, expect: { mostCalls: 1 } }`);
  const records = join(folder, 'equal');
  const { stdout } = await run(
    cases('equal.yaml', `fresh: true\ncases:\n${list.join('\n')}\n`),
    '--out',
    records,
    '--json',
  );
  expect(JSON.parse(stdout).totals.runs).toBe(4);
  const files = readdirSync(records);
  expect(files).toHaveLength(12);
  for (const name of files) expect(Buffer.byteLength(name)).toBeLessThan(200);
});

test.each<[string, string]>([
  [
    'expect: { tool: next_high_watr }',
    'no server offers `next_high_watr`, the name of the expected tool: did you mean',
  ],
  ['expect: { forbidden: book_bert }', 'no server offers `book_bert`, the name of a forbidden tool: did you mean'],
  ['answers: { book_brth: Booked. }, expect: { mostCalls: 1 }', 'no server offers `book_brth`, the name of an answer'],
])('refuses a case that names no tool before it asks a model: %s', async (text, sentence) => {
  const file = cases('typo.yaml', `cases:\n  - { prompt: Please book., ${text} }\n`);
  await expect(run(file, '--allow', 'all')).rejects.toThrow(sentence);
});

test('refuses to allow a tool that no server has', async () => {
  const file = cases('allow.yaml', PICKY);
  await expect(run(file, '--allow', 'book_bert')).rejects.toThrow('did you mean `book_berth`?');
  expect((await run(file, '--allow', 'tides__book_berth,next_high_water', '--json')).notes).toEqual([]);
});

test('answers for all cases may be of a server that a case does not offer', async () => {
  const file = cases('shared.yaml', `answers: { look_out: Fog. }\nservers: [tides]\n${PICKY}`);
  await expect(run(file)).rejects.toThrow('`look_out`');
  const both = `answers: { look_out: Fog. }\n${PICKY}  - { name: view, prompt: a, servers: [tides], expect: { mostCalls: 1 } }\n`;
  expect((await run(cases('both.yaml', both), '--json')).code).toBe(EXIT.serverError);
});

test('a report that can’t be written stops before a model is asked', async () => {
  const file = cases('unwritable.yaml', PICKY);
  await expect(run(file, '--report', `junit=${join(folder, 'none/out.xml')}`)).rejects.toThrow('(ENOENT)');
  await expect(run(file, '--report', `junit=${folder}`)).rejects.toThrow('it is a directory');
});

test('a model that can’t be reached is an error, and no wrong choice', async () => {
  writeFileSync(join(folder, 'gone-rules.yaml'), 'rules: [{ fail: unauthorized }]');
  const file = cases('gone-model.yaml', PICKY);
  const model = `scripted:${join(folder, 'gone-rules.yaml')}`;
  const { code, stdout } = await run(file, '--model', model);
  expect(code).toBe(EXIT.serverError);
  expect(stdout).toContain('ERROR');
  expect(stdout).toContain('2 runs could not be made, and say nothing about the model.');
  expect(stdout).not.toContain('EXPECTED');
});

/** A server that ends when its tool `die` is called. */
const CRASHING = `
    process.stdin.on('data', (chunk) => {
      for (const line of String(chunk).split('\\n').filter(Boolean)) {
        const { id, method, params } = JSON.parse(line);
        const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
        if (method === 'initialize') say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'c', version: '1' } });
        else if (method === 'tools/list') say({ tools: [{ name: 'die', inputSchema: { type: 'object' } }] });
        else if (method === 'tools/call') process.exit(1);
        else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
      }
    });`;

test('starts shared servers again after one has crashed', async () => {
  const server = join(folder, 'crashing.mjs');
  writeFileSync(server, CRASHING);
  const config = join(folder, 'crashing.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { c: { command: process.execPath, args: [server] } } }));
  writeFileSync(
    join(folder, 'die.yaml'),
    'rules:\n  - { when: { error: true }, say: gone }\n  - call: { tool: die }\n',
  );
  const file = join(folder, 'crash.yaml');
  writeFileSync(
    file,
    'config: crashing.json\nmodel: scripted:die.yaml\nrepeat: 3\ncases: [{ prompt: a, expect: { tool: die, mostCalls: 1 } }]',
  );
  const { code, stdout } = await run(file, '--allow', 'all', '--jobs', '1', '--json', '--out', join(folder, 'crashes'));
  expect(JSON.parse(stdout).totals).toMatchObject({ passed: 3, errors: 0 });
  expect(code).toBe(EXIT.fine);
  expect(readdirSync(join(folder, 'crashes')).filter((name) => name.startsWith('servers-'))).toHaveLength(3);
});

test('records no secret of a server', async () => {
  const { answers } = writeLeakyServer(folder);
  writeFileSync(
    join(folder, 'leaky-rules.yaml'),
    `rules:
  - { when: { text: leak }, call: { tool: show_env } }
  - { when: { tool: show_env }, call: { tool: ask } }
  - { when: { tool: ask }, say: 'I got {{result}}.' }
`,
  );
  const file = join(folder, 'leaks.yaml');
  writeFileSync(
    file,
    'config: leaky.json\nmodel: scripted:leaky-rules.yaml\ncases: [{ prompt: leak, expect: { tool: ask } }]',
  );
  const out = join(folder, 'leaks');
  await run(file, '--out', out, '--answers', answers, '--allow', 'all');
  const recordings = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'));
  expect(recordings).toHaveLength(2);
  expect(recordings.join('')).toContain('it was');
  expect(recordings.join('')).not.toContain('canary');
});

test('masks secrets in the report', async () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ0123AB';
  writeFileSync(join(folder, 'leaky.yaml'), `rules: [{ say: 'Your token is ${secret}.' }]`);
  const file = cases('masked.yaml', PICKY);
  const junit = join(folder, 'masked.xml');
  const { stdout } = await run(
    file,
    '--model',
    `scripted:${join(folder, 'leaky.yaml')}`,
    '--json',
    '--report',
    `junit=${junit}`,
  );
  expect(JSON.parse(stdout).cases[0].failures[0].text).toContain('Your token is ');
  expect(stdout).not.toContain(secret);
  expect(readFileSync(junit, 'utf8')).not.toContain(secret);
});

describe('resume', () => {
  const evals = new KeptEvals(join(folder, 'home/evals'));

  /** Keeps only the first attempts of the newest eval, as if it had crashed then. */
  function crashAfter(lines: number): string {
    const [id] = evals.ids();
    const file = join(evals.pathOf(id!), 'run-1.jsonl');
    const kept = readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, 1 + lines);
    writeFileSync(file, `${kept.join('\n')}\n{"key":"torn`);
    return id!;
  }

  test('makes only the runs that are missing', async () => {
    const file = cases('resumed.yaml', `repeat: 3\n${PICKY}`);
    const whole = await run(file, '--json', '--allow', 'read-only');
    const id = crashAfter(4);
    expect(await evals.read(id)).toMatchObject({ isDone: false, attempts: { length: 4 } });
    const again = await run('--resume', id, '--json');
    const counts = (text: string) => JSON.parse(text).totals;
    expect(counts(again.stdout)).toMatchObject({ runs: 6, passed: counts(whole.stdout).passed, refused: 3 });
    expect(await evals.read(id)).toMatchObject({ isDone: true, attempts: { length: 6 } });
    expect(
      readFileSync(join(evals.pathOf(id), 'run-2.jsonl'), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(4);
  });

  test('makes those of a changed case again', async () => {
    const file = cases('changed.yaml', PICKY);
    await run(file, '--json');
    const id = crashAfter(2);
    cases('changed.yaml', PICKY.replace('prompt: Please book.', 'prompt: Please book it.'));
    await run('--resume', id, '--json');
    expect((await evals.read(id)).attempts).toHaveLength(3);
  });

  test('makes those of a changed script, and of other permissions, again', async () => {
    const script = join(folder, 'changing.yaml');
    const rules = (say: string) => writeFileSync(script, `rules: [{ say: ${say} }]`);
    rules('before');
    const file = cases('script.yaml', PICKY);
    await run(file, '--model', `scripted:${script}`, '--json');
    const id = crashAfter(2);
    rules('after');
    const again = await run('--resume', id, '--json');
    expect(JSON.parse(again.stdout).cases[0].failures[0].text).toBe('after');
    await run('--resume', id, '--json', '--allow', 'read-only');
    expect((await evals.read(id)).attempts).toHaveLength(6);
  });

  test('makes errors again, and keeps what came of them', async () => {
    const server = join(folder, 'late.mjs');
    const config = join(folder, 'late.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { c: { command: process.execPath, args: [server] } } }));
    const rules = join(folder, 'late-rules.yaml');
    writeFileSync(rules, 'rules:\n  - { when: { error: true }, say: gone }\n  - call: { tool: die }\n');
    const file = cases('late.yaml', 'cases: [{ prompt: a, expect: { tool: die } }]');
    const first = await run(file, '--config', config, '--model', `scripted:${rules}`, '--json');
    expect(JSON.parse(first.stdout).totals).toMatchObject({ passed: 0, errors: 1 });
    writeFileSync(server, CRASHING);
    const [id] = evals.ids();
    const again = await run('--resume', id!, '--json');
    expect(JSON.parse(again.stdout).totals).toMatchObject({ passed: 1, errors: 0 });
    const { attempts } = await evals.read(id!);
    expect(attempts.map(({ attempt }) => attempt.error)).toEqual([undefined]);
    await run('--resume', id!, '--json');
    expect(readFileSync(join(evals.pathOf(id!), 'run-3.jsonl'), 'utf8')).not.toContain('"attempt"');
  });

  test('keeps no secret of an option, and says that such an eval can’t be resumed', async () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ0123AB';
    const { notes } = await run(
      cases('secret.yaml', PICKY),
      '--model-option',
      `system=The key is ${secret}.`,
      '--json',
    );
    const [id] = evals.ids();
    expect(notes.join()).not.toContain('--resume');
    expect(readFileSync(join(evals.pathOf(id!), 'run-1.jsonl'), 'utf8')).not.toContain(secret);
    await expect(run('--resume', id!)).rejects.toThrow('secret');
  });

  test('says what is wrong', async () => {
    await expect(run('--resume', '20200101-000000-abcd')).rejects.toThrow('the newest is');
    await expect(run('--resume', '../../etc')).rejects.toThrow('There is no eval');
    await expect(run(cases('more.yaml', PICKY), '--resume', evals.ids()[0]!)).rejects.toThrow('remove the others');
    await expect(run()).rejects.toThrow('needs a file of cases');
  });

  test('keeps nothing with --record off', async () => {
    const before = evals.ids();
    await run(cases('unkept.yaml', PICKY), '--record', 'off', '--json');
    expect(evals.ids()).toEqual(before);
  });
});
