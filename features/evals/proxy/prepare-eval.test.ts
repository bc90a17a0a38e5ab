import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ROOT, TWO_SERVERS } from '@/features/chat/proxy/command/test-chat-command';
import { PageModels } from '@/features/chat/proxy/page-models';
import type { EvalSetup, EvalsReplies } from '@/features/evals/lib/evals-api';
import type { PageHub } from '@/proxy/commands/inspect/page-hub';
import { testFolder } from '@/proxy/commands/test-folder';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import type { Recorder } from '@/proxy/recorder/recorder';
import { evalsFolder, KeptEvals } from './kept-evals';
import type { PageEvals } from './page-evals';
import { createPageEvals } from './prepare-eval';

const CASES = `
config: mcp.json
model: scripted:rules.yaml
repeat: 2
answers: { next_high_water: At noon. }
cases:
  - { name: tide, prompt: When is the tide?, expect: { tool: next_high_water } }
  - { name: berth, prompt: Please book., expect: { tool: next_high_water } }
`;
const RULES = `
rules:
  - { when: { text: tide }, call: { tool: next_high_water, arguments: { port: Kirkwall, after: '01:00' } } }
  - { when: { text: book }, call: { tool: book_berth, arguments: { port: Lerwick, ship: Solan } } }
  - { when: { result: '' }, say: done }
`;
const folder = testFolder({ 'cases.yaml': CASES, 'rules.yaml': RULES });
const before = process.cwd();
const opened: string[] = [];
let evals: PageEvals;
const confirm = vi.fn(async () => {});

beforeAll(() => {
  const config = readFileSync(TWO_SERVERS, 'utf8').replaceAll('${workspaceFolder}', join(ROOT, 'examples/eval'));
  writeFileSync(join(folder, 'mcp.json'), config);
  vi.stubEnv('MCP_INSPECT_HOME', join(folder, 'home'));
  process.chdir(folder);
  evals = page();
});
afterEach(() => confirm.mockReset());
afterAll(async () => {
  await evals.close();
  process.chdir(before);
  vi.unstubAllEnvs();
});

function page(keepsNothing = false): PageEvals {
  const hub = {
    connections: () => opened.map((id) => ({ id })),
    openFile: async ({ name }: { name: string }) => ({ id: opened[opened.push(name) - 1]! }),
  } as unknown as PageHub;
  const confirmation = { confirm } as never;
  const recorder = keepsNothing ? undefined : ({} as Recorder);
  return createPageEvals(
    { hub, version: '1', home: join(ROOT, 'dist'), recorder, confirmation, printNote: () => {} },
    new PageModels('1', false),
  );
}

const setup: EvalSetup = { name: 'cases.yaml', text: CASES, allow: { mode: 'ask' } };

async function run(of = evals, change: Partial<EvalSetup> = {}): Promise<EvalsReplies['read'] & { id: string }> {
  const { id } = (await of.run({ kind: 'start', setup: { ...setup, ...change } })) as EvalsReplies['start'];
  return { ...(await ended(of, id)), id };
}

async function ended(of: PageEvals, id: string): Promise<EvalsReplies['read']> {
  return vi.waitFor(async () => {
    const reply = (await of.run({ kind: 'read', id })) as EvalsReplies['read'];
    expect(reply.summary.state).not.toBe('running');
    return reply;
  });
}

test('lists files with cases, and says what they would run', async () => {
  const { files } = (await evals.run({ kind: 'list' })) as EvalsReplies['list'];
  expect(files).toEqual(['cases.yaml']);
  expect(await evals.run({ kind: 'file', name: 'cases.yaml' })).toEqual({ text: CASES });
  expect(await evals.run({ kind: 'plan', setup })).toMatchObject({
    models: ['scripted:rules.yaml'],
    repeats: 2,
    attempts: 4,
    cases: [{ name: 'tide', expects: ['next_high_water'] }, { name: 'berth' }],
    servers: [{ name: 'lighthouse' }, { name: 'tides', what: expect.stringContaining('tides-server.mjs') }],
  });
  expect(confirm).not.toHaveBeenCalled();
});

test('asks before servers start, keeps the attempts, and opens their recordings', async () => {
  const { summary, attempts, id } = await run();
  expect(confirm).toHaveBeenCalledTimes(2);
  expect(summary).toMatchObject({ state: 'done', made: 4, passed: 2 });
  expect(attempts.map(({ name, reasons }) => [name, reasons.length]).sort()).toEqual([
    ['berth', 1],
    ['berth', 1],
    ['tide', 0],
    ['tide', 0],
  ]);
  const { connection } = (await evals.run({ kind: 'open', id, attempt: 1 })) as EvalsReplies['open'];
  expect(connection).toContain('tide');
  const allowed = await run(evals, { allow: { mode: 'all' }, repeats: 1 });
  const call = allowed.attempts.flatMap(({ calls, number }) => calls.map((one) => ({ ...one, number })));
  const ran = call.find(({ frame }) => frame !== undefined)!;
  expect(ran).toMatchObject({ name: 'tides__book_berth', decision: 'run' });
  const opening = { kind: 'open', id: allowed.id, attempt: ran.number, connection: ran.connection! } as const;
  expect(await evals.run(opening)).toEqual({ connection: expect.stringContaining('tides') });
});

test('a refusal in the terminal starts nothing', async () => {
  const refusal = { code: 'not-confirmed', message: 'No.', advice: 'Ask again.' };
  confirm.mockRejectedValueOnce(Object.assign(new Error('No.'), refusal));
  await expect(evals.run({ kind: 'start', setup })).rejects.toMatchObject({ code: 'not-confirmed' });
});

test('a name that no server has is a problem of the eval, which is not kept', async () => {
  const text = CASES.replace('expect: { tool: next_high_water } }', 'expect: { tool: next_high_watr } }');
  const { summary, id } = await run(evals, { text });
  expect(summary).toMatchObject({ state: 'stopped', made: 0, problem: expect.stringContaining('did you mean') });
  expect(new KeptEvals(evalsFolder(ownRecordingsFolder())).ids()).not.toContain(id);
});

test('stops, and resumes with the attempts that are missing, also after a restart', async () => {
  writeFileSync(
    join(folder, 'slow.yaml'),
    "rules: [{ when: { turn: 1 }, say: 'slow', pieces: 1, delay: 50 }, { when: { result: '' }, say: a }]",
  );
  const { id } = (await evals.run({
    kind: 'start',
    setup: { ...setup, models: ['scripted:slow.yaml'], repeats: 20 },
  })) as EvalsReplies['start'];
  await vi.waitFor(async () => {
    const { attempts } = (await evals.run({ kind: 'read', id })) as EvalsReplies['read'];
    expect(attempts.length).toBeGreaterThan(1);
  });
  await evals.run({ kind: 'stop', id });
  const { summary } = await ended(evals, id);
  expect(summary.state).toBe('stopped');
  expect(summary.made).toBeLessThan(40);

  const restarted = page();
  const read = (await restarted.run({ kind: 'read', id })) as EvalsReplies['read'];
  expect(read.summary).toMatchObject({ state: 'stopped', made: summary.made });
  await restarted.run({ kind: 'resume', id });
  expect((await ended(restarted, id)).summary).toMatchObject({ state: 'done', made: 40 });
  await restarted.run({ kind: 'forget', id });
  await expect(restarted.run({ kind: 'read', id })).rejects.toMatchObject({ code: 'no-eval' });
});

test('resuming keeps what was made before, also when it fails', async () => {
  const server = join(folder, 'late.mjs');
  const script = join(ROOT, 'examples/eval/tides-server.mjs');
  writeFileSync(
    join(folder, 'late.json'),
    JSON.stringify({ mcpServers: { tides: { command: process.execPath, args: [server] } } }),
  );
  const text = CASES.replace('mcp.json', 'late.json').replace('tool: next_high_water', 'tool: lighthouse');
  const { summary, id } = await run(evals, { text });
  expect(summary).toMatchObject({ made: 4 });
  writeFileSync(server, `await import(${JSON.stringify(script)})`);
  await evals.run({ kind: 'resume', id });
  await ended(evals, id);
  expect(((await page().run({ kind: 'read', id })) as EvalsReplies['read']).summary).toMatchObject({ made: 4 });
});

test('keeps no secret of the cases, and says that such an eval can’t be resumed', async () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ0123AB';
  const { id } = await run(evals, { text: CASES.replace('Please book.', `Please book with ${secret}.`), repeats: 1 });
  const kept = new KeptEvals(evalsFolder(ownRecordingsFolder()));
  expect(readFileSync(join(kept.pathOf(id), 'run-1.jsonl'), 'utf8')).not.toContain(secret);
  await expect(evals.run({ kind: 'resume', id })).rejects.toMatchObject({ code: 'masked-eval' });
});

test('begins nothing once mcp-inspect ends', async () => {
  const ending = page();
  let agree = () => {};
  confirm.mockImplementationOnce(
    () =>
      new Promise<void>((resolve) => {
        agree = resolve;
      }),
  );
  const started = ending.run({ kind: 'start', setup });
  await vi.waitFor(() => expect(confirm).toHaveBeenCalled());
  await ending.close();
  agree();
  await expect(started).rejects.toMatchObject({ code: 'closed' });
  expect(ending.isRunning).toBe(false);
});

test('refuses more runs than fit into memory before it plans them', async () => {
  const many = Array.from({ length: 10_001 }, (_, at) => ({ prompt: String(at), expect: { mostCalls: 0 } }));
  const text = JSON.stringify({ config: 'mcp.json', model: 'scripted:rules.yaml', cases: many.slice(1), repeat: 2 });
  await expect(evals.run({ kind: 'plan', setup: { ...setup, text } })).rejects.toThrow('20,000 runs');
});

test('reads nothing outside the working directory', async () => {
  const elsewhere = join(tmpdir(), `mcp-inspect-else-${process.pid}`);
  mkdirSync(elsewhere, { recursive: true });
  writeFileSync(join(elsewhere, 'cases.yaml'), CASES);
  writeFileSync(join(elsewhere, 'mcp.json'), '{"mcpServers":{"a":{"command":"node"}}}');
  symlinkSync(join(elsewhere, 'mcp.json'), join(folder, 'link.json'));
  writeFileSync(join(folder, '.env'), 'KEY=1');
  const others = ['.env', 'mcp.json', 'rules.yaml', join(folder, 'cases.yaml')];
  for (const name of ['../cases.yaml', join(elsewhere, 'cases.yaml'), '/etc/passwd', ...others])
    await expect(evals.run({ kind: 'file', name })).rejects.toMatchObject({ code: 'bad-eval' });
  for (const config of [join(elsewhere, 'mcp.json'), 'link.json', '../mcp.json']) {
    const text = CASES.replace('config: mcp.json', `config: ${config}`);
    await expect(evals.run({ kind: 'plan', setup: { ...setup, text } })).rejects.toThrow('working directory');
  }
  const models = [`scripted:${join(elsewhere, 'rules.yaml')}`];
  await expect(evals.run({ kind: 'plan', setup: { ...setup, models } })).rejects.toThrow('working directory');
});

test('keeps nothing if nothing is to be recorded', async () => {
  const unkept = page(true);
  const { summary, attempts, id } = await run(unkept, { repeats: 1 });
  expect(summary).toMatchObject({ state: 'done', made: 2 });
  expect(attempts[0]!.recording).toBeUndefined();
  await expect(unkept.run({ kind: 'open', id, attempt: 1 })).rejects.toMatchObject({ code: 'not-recorded' });
  expect(await unkept.run({ kind: 'list' })).toMatchObject({ keepsNothing: true, evals: [{ id }] });
});
