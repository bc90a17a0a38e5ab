import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { capture } from '@/proxy/commands/headless/test-against';
import { runCommand } from '../test-command-line';

const SERVER = join(import.meta.dirname, '../fixtures/results-server.mjs');
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-contract-'));
const [one, other] = ['one', 'other'].map((name) => join(folder, `${name}.mcpr.jsonl`)) as [string, string];

beforeAll(async () => {
  for (const [file, calls] of [
    [one, 30],
    [other, 2],
  ] as const) {
    await capture({ transport: 'stdio', command: process.execPath, args: [SERVER] }, file, async (ask) => {
      await ask('tools/list');
      const call = (name: string, id: number) => ask('tools/call', JSON.stringify({ name, arguments: { id } }));
      for (let id = 0; id < calls; id++) {
        await call('search', id);
        await call('weather', id);
      }
      await call('search', -1);
      await call('prose', 1);
    });
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...argv: string[]) =>
  runCommand(['export', ...argv, ...(argv.includes('--format') ? [] : ['--format', 'schema'])]);

test('prints an outputSchema from structured results', async () => {
  const { stdout, code } = await run(one, '--tool', 'search');
  expect(JSON.parse(stdout)).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      total: { type: 'integer' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            state: { type: 'string', enum: ['closed', 'open'] },
            at: { type: 'string', format: 'date-time' },
            note: { type: ['string', 'null'] },
          },
          required: ['id', 'state', 'at'],
        },
      },
      next: { type: 'string' },
    },
    required: ['total', 'items'],
  });
  expect(code).toBe(EXIT.fine);
});

test('reads JSON in texts, and says so', async () => {
  const { stdout, notes } = await run(one, '--tool', 'weather', '--format', 'typescript');
  expect(stdout).toMatch(/^export interface WeatherResult \{\n {2}degrees: number;\n\}$/m);
  expect(notes).toEqual(['weather: 30 results (JSON in text).']);
});

test('learns from several recordings, and leaves errors out', async () => {
  const { stdout, notes } = await run(one, other, '--format', 'pydantic');
  expect(stdout).toContain('class SearchResult(BaseModel):');
  expect(notes).toEqual(
    expect.arrayContaining([
      'search: 32 results.',
      'search: 2 errors left out.',
      'prose: 2 results without JSON left out.',
    ]),
  );
});

test('lists the results that contradict the declared outputSchema', async () => {
  const { notes, code } = await run(other);
  expect(notes).toContain('search: 2 results; record more for a reliable type.');
  expect(code).toBe(EXIT.fine);
  const late = join(folder, 'late.mcpr.jsonl');
  await capture({ transport: 'stdio', command: process.execPath, args: [SERVER] }, late, async (ask) => {
    await ask('tools/list');
    await ask('tools/call', '{"name":"search","arguments":{"id":1000}}');
  });
  const found = await run(late);
  expect(found.notes.at(-1)).toMatch(
    /^.*late\.mcpr\.jsonl #\d+ search: `structuredContent\.total` is a string, expected an integer$/,
  );
  expect(found.code).toBe(EXIT.serverError);
  const { tools, contradictions } = JSON.parse((await run(late, '--json')).stdout);
  expect(tools).toMatchObject([{ tool: 'search', results: 1, declared: true, from: 'structuredContent' }]);
  expect(contradictions).toMatchObject([{ tool: 'search', path: 'structuredContent.total' }]);
});

test('masks secrets before it learns, and writes a file', async () => {
  const secret = `ghp_${'aB3dE6gH9'.repeat(4)}`;
  const whole = readFileSync(one, 'utf8');
  const planted = join(folder, 'planted.mcpr.jsonl');
  writeFileSync(planted, whole.replaceAll('"closed"', `"${secret}"`).replace(/\{"k":"end".*\n/, ''));
  const out = join(folder, 'types.json');
  const { stdout, notes } = await run(planted, '--tool', 'search', '--out', out);
  expect(stdout).toBe('');
  expect(notes.join('\n')).toContain(`Wrote ${out}`);
  expect(notes.join('\n')).toMatch(/\d+ places masked\./);
  expect(readFileSync(out, 'utf8')).not.toContain('aB3dE6gH9');
  await expect(run(one, '--format', 'parquet', '--tool', 'x')).rejects.toThrow(
    '`--tool` does not go with `--format parquet`',
  );
  await expect(runCommand(['export', one])).rejects.toThrow(
    'No format is named: add `--format` and one of otlp, parquet',
  );
});

test('refuses an unknown form or tool, and a recording without data', async () => {
  await expect(run(one, '--format', 'rust')).rejects.toThrow(
    'choose from otlp, parquet, schema, typescript, zod, pydantic',
  );
  await expect(run(one, '--tool', 'serach')).rejects.toThrow('did you mean `search`?');
  await expect(run(join(folder, 'none.mcpr.jsonl'))).rejects.toThrow(ExitError);
  const { code, notes } = await run(one, '--tool', 'prose');
  expect(notes.at(-1)).toMatch(/^mcp-inspect: No result of a tool has data/);
  expect(code).toBe(EXIT.serverError);
});
