import { expect, test } from 'vitest';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { plantedFrame } from '@/lib/redact/test-plant';
import { readRecordingLink } from './open-link';
import type { ShareAnswer, ShareKind } from './share-job';
import { ShareJobRunner } from './share-job-runner';

const SALT = Uint8Array.of(1, 2, 3);
const TOKEN = `ghp_${'aB3dE6gH9'.repeat(4)}`;

function benchOf(texts: readonly string[]) {
  const answers: ShareAnswer[] = [];
  const bench = new ShareJobRunner('9.9.9', (answer) => answers.push(answer));
  const about = { id: 'c1', at: '2026-01-01T00:00:00.000Z', name: 'demo', transport: 'stdio' } as const;
  void bench.run({ type: 'begin', about, salt: SALT });
  void bench.run({ type: 'frames', frames: texts.map((text, index) => ({ ...plantedFrame(text), seq: index + 1 })) });
  const last = () => answers.at(-1)!;
  const make = async (kind: ShareKind, more: object = {}) => {
    await bench.run({ type: 'make', ref: 2, kind, decisions: [], patterns: [], name: 'demo', ...more });
    return last();
  };
  return { bench, answers, last, make };
}

async function reviewed(texts: readonly string[]) {
  const made = benchOf(texts);
  await made.bench.run({ type: 'review', ref: 1, selection: { without: [] } });
  return made;
}

const CALL = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":"${TOKEN}"}}}`;

test('makes a redacted, complete copy of this version', async () => {
  const { make } = await reviewed([CALL, '{"jsonrpc":"2.0","id":1,"result":{}}']);
  const made = await make('jsonl');
  if (made.type !== 'made' || typeof made.content === 'string') throw new Error('not a file');
  expect(made).toMatchObject({ name: 'demo.mcpr.jsonl', masked: 1 });
  const text = await made.content.text();
  expect(text).not.toContain(TOKEN);
  const reader = new RecordingReader();
  expect(reader.readChunk(new TextEncoder().encode(text))).toHaveLength(2);
  expect(reader.finish()).toMatchObject({ complete: true, damaged: { count: 0 } });
  expect(reader.header).toMatchObject({ by: 'mcp-inspect/9.9.9', name: 'demo' });
  // A connection of the page has an id that files do not allow.
  expect(reader.header!.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(text).toMatch(/"sha256":"[0-9a-f]{64}"\}\n$/);
});

test('makes a page, a link and a report of the same frames', async () => {
  const { make } = await reviewed([CALL]);
  const template = new Blob(['<b data-name="{{name}}">{{recording}}</b>']);
  const html = await make('html', { template });
  expect(html.type === 'made' && html.content instanceof Blob && (await html.content.text())).toMatch(
    /^<b data-name="demo\.mcpr\.gz">[\w+/]+=*<\/b>$/,
  );
  const link = await make('link', { page: 'https://example.com/' });
  if (link.type !== 'made' || typeof link.content !== 'string') throw new Error('not a link');
  const linked = new TextDecoder().decode(await readRecordingLink(link.content.split('#recording=')[1]!));
  expect(linked).toContain('[redacted:github:');
  const report = await make('markdown', { about: 1 });
  expect(report).toMatchObject({ type: 'made', name: 'demo.md' });
  expect(await make('mermaid')).toMatchObject({
    content: expect.stringMatching(/^sequenceDiagram\n/),
    name: 'demo.mmd',
  });
  expect(await make('har')).toMatchObject({ type: 'failed', failure: { code: 'nothing-over-http' } });
});

test('keeps ids of findings and decisions across reviews', async () => {
  const { bench, last, make } = await reviewed(['hello', CALL]);
  const first = last();
  await bench.run({ type: 'review', ref: 3, selection: { from: 2, without: [] } });
  const second = last();
  if (first.type !== 'reviewed' || second.type !== 'reviewed') throw new Error('nothing was reviewed');
  expect(second).toMatchObject({ frames: 1 });
  const { id } = first.findings.list[0]!;
  expect(second.findings.list.map((finding) => finding.id)).toEqual([id]);
  const kept = await make('jsonl', { decisions: [[id, 'keep']] });
  expect(kept.type === 'made' && kept.content instanceof Blob && (await kept.content.text())).toContain(TOKEN);
});

test('leaves a dropped detail out of everything', async () => {
  const note = '{"event":"about","name":"","text":"ask Bo"}';
  const answers: ShareAnswer[] = [];
  const bench = new ShareJobRunner('9.9.9', (answer) => answers.push(answer));
  await bench.run({ type: 'begin', about: { id: 'c1', at: '', name: 'demo', transport: 'stdio' }, salt: SALT });
  await bench.run({ type: 'frames', frames: [{ ...plantedFrame(note, 'lifecycle'), seq: 1 }] });
  await bench.run({ type: 'review', ref: 1, selection: { without: [] } });
  const reviewed = answers.at(-1)!;
  if (reviewed.type !== 'reviewed') throw new Error('nothing was reviewed');
  const decisions = reviewed.facts.map(({ id }) => [id, 'mask'] as const);
  await bench.run({ type: 'make', ref: 2, kind: 'jsonl', decisions, patterns: [], name: 'demo' });
  const made = answers.at(-1)!;
  if (made.type !== 'made' || typeof made.content === 'string') throw new Error('not a file');
  expect(await made.content.text()).not.toContain('ask Bo');
});

test('answers with a failure', async () => {
  const { make } = await reviewed([CALL]);
  expect(await make('link', { page: 'x' })).toMatchObject({ type: 'failed', ref: 2, failure: { code: 'link-base' } });
  expect(await make('gz', { patterns: [{ regex: '((((' }] })).toMatchObject({
    type: 'failed',
    failure: { code: 'pattern-not-regex' },
  });
});

test('says in the copy which parts the log lacks', async () => {
  const { bench, make } = benchOf([CALL]);
  const about = { id: 'c1', at: '2026-01-01T00:00:00.000Z', name: 'demo', transport: 'stdio' } as const;
  await bench.run({ type: 'begin', about: { ...about, lacks: { end: true } }, salt: SALT });
  await bench.run({ type: 'review', ref: 1, selection: { without: [] } });
  const made = await make('jsonl');
  expect(made.type === 'made' && made.content instanceof Blob && (await made.content.text())).toContain(
    '"lacks":{"end":true}',
  );
});

test('says in the copy how many values were forgotten', async () => {
  const { bench, make } = benchOf([CALL]);
  const about = { id: 'c1', at: '2026-01-01T00:00:00.000Z', name: 'demo', transport: 'stdio' } as const;
  await bench.run({ type: 'begin', about: { ...about, forgotten: 3 }, salt: SALT });
  await bench.run({ type: 'review', ref: 1, selection: { without: [] } });
  const made = await make('jsonl');
  const text = made.type === 'made' && made.content instanceof Blob ? await made.content.text() : '';
  expect(text.trimEnd().split('\n').at(-1)).toContain('"forgotten":3');
});

test('counts frames without notes and end markers', async () => {
  const { bench, last, make } = benchOf([CALL]);
  const said = ['{"event":"note","on":1,"text":"Here","bookmark":true}', '{"event":"recording-ends"}'];
  const frames = said.map((text, at) => ({ ...plantedFrame(text, 'lifecycle'), seq: at + 2 }));
  await bench.run({ type: 'frames', frames });
  await bench.run({ type: 'review', ref: 1, selection: { without: [] } });
  expect(last()).toMatchObject({ type: 'reviewed', frames: 1 });
  const made = await make('jsonl');
  if (made.type !== 'made' || typeof made.content === 'string') throw new Error('not a file');
  // Opening it adds an end marker again.
  expect(await made.content.text()).not.toContain('recording-ends');
});

/** Megabytes of frames, so that jobs have somewhere to stop. */
const LONG = Array.from({ length: 40 }, () => CALL.replace('"x"', `"${'lorem ipsum '.repeat(6000)}"`));

test('a cancelled job fails, and later ones run', async () => {
  const { bench, answers, make } = benchOf(LONG);
  const review = bench.run({ type: 'review', ref: 7, selection: { without: [] } });
  const queued = bench.run({ type: 'review', ref: 9, selection: { without: [] } });
  while (answers.at(-1)?.type !== 'progress') await new Promise((resolve) => setImmediate(resolve));
  // A job that waits is answered at once.
  void bench.run({ type: 'cancel', ref: 9 });
  expect(answers.at(-1)).toMatchObject({ type: 'failed', ref: 9, failure: { code: 'cancelled' } });
  void bench.run({ type: 'cancel', ref: 7 });
  await review;
  expect(answers.at(-1)).toMatchObject({ type: 'failed', ref: 7, failure: { code: 'cancelled' } });
  await queued;
  expect(answers.filter(({ ref }) => ref === 9)).toHaveLength(1);
  // Nothing can be made of a review that was not completed.
  expect(await make('jsonl')).toMatchObject({ type: 'failed' });
  await bench.run({ type: 'review', ref: 8, selection: { without: [] } });
  const running = make('jsonl');
  while (answers.at(-1)?.type !== 'progress') await new Promise((resolve) => setImmediate(resolve));
  void bench.run({ type: 'cancel', ref: 2 });
  expect(await running).toMatchObject({ type: 'failed', ref: 2, failure: { code: 'cancelled' } });
  expect(await make('gz')).toMatchObject({ type: 'made', masked: 40 });
});

test('masks once for several outputs, and again after another decision', async () => {
  const { bench, last, answers, make } = benchOf(LONG);
  await bench.run({ type: 'review', ref: 1, selection: { without: [] } });
  const reviewed = last();
  if (reviewed.type !== 'reviewed') throw new Error('nothing was reviewed');
  const totals = async (kind: ShareKind, more: object = {}) => {
    answers.length = 0;
    expect(await make(kind, more)).toMatchObject({ type: 'made' });
    return answers.flatMap((answer) => (answer.type === 'progress' ? [answer.total] : [])).at(-1);
  };
  expect(await totals('gz')).toBe(2 * reviewed.bytes);
  expect(await totals('jsonl')).toBe(reviewed.bytes);
  // The page holds the recording that was made before.
  expect(await totals('html', { template: new Blob(['{{name}}{{recording}}']) })).toBeUndefined();
  const { id } = reviewed.findings.list[0]!;
  expect(await totals('jsonl', { decisions: [[id, 'keep']] })).toBe(2 * reviewed.bytes);
});
