import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { recorded, SESSION } from '@/features/team/proxy/query/test-recordings';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { formatDate } from '@/lib/wire/format';
import { EXIT } from '@/proxy/cli/exit-code';
import { runCommand } from '@/proxy/commands/test-command-line';
import { createRecordingIn } from '@/proxy/recorder/recorder';
import { findKept, keptText } from './recordings';

const listText = async (folder: string) => {
  const told = { version: '1', status: { show: () => {}, end: () => {} } };
  return keptText(folder, await findKept(folder, { words: [], tags: [] }, told), undefined);
};

describe('the list of recordings', () => {
  let base: string;
  let folder: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
    folder = join(base, 'recordings');
    mkdirSync(folder);
  });
  afterEach(() => rmSync(base, { recursive: true }));

  test('says what is special about each recording', async () => {
    const redactor = new CaptureRedactor([]);
    const about = {
      name: 'x',
      transport: 'stdio',
      at: '2026-01-01T00:00:00Z',
      version: '0.0.0-test',
      redactor,
    } as const;
    const bytes = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    const recording = createRecordingIn(folder, about);
    recording.add([{ time: 1, channel: 'protocol', direction: 'to-server', flags: 0, bytes }]);
    expect(await listText(folder)).toContain('x (being recorded)');
    recording.end();
    const text = await listText(folder);
    expect(text).not.toContain('(');
    // The time of day here, as on the page.
    expect(text).toContain(formatDate(about.at));
    const [id] = text.match(/\S+\.mcpr\.jsonl/)!;
    const whole = readFileSync(join(folder, id), 'utf8');
    writeFileSync(join(folder, id), whole.replace('"ping"', '"pong"'));
    expect(await listText(folder)).toContain('x (changed or damaged)');
    rmSync(join(folder, id));
    writeFileSync(
      join(folder, '20260101T000000Z-x-imported-0123abcd.mcpr.jsonl'),
      whole.slice(0, whole.indexOf('{"k"')),
    );
    expect(await listText(folder)).toContain('x (imported, incomplete)');
  });

  test('lists every recording', async () => {
    for (let at = 0; at < 501; at++) {
      writeFileSync(join(folder, `20260101T000000Z-${at}-imported-0123abcd.mcpr.jsonl`), '{"mcpr":1}\n');
    }
    expect(await listText(folder)).toContain(` holds 501 recordings, 5.5 KB in all.\n`);
  });

  test('prints commands that open and share the newest readable one from any folder', async () => {
    const named = (time: string) => join(folder, `20260101T00000${time}Z-x-imported-0123abcd.mcpr.jsonl`);
    writeFileSync(named('0'), '{"mcpr":1}\n');
    expect(await listText(folder)).toContain(' holds 1 recording, ');
    writeFileSync(named('1'), '{"mcpr":1}\n');
    writeFileSync(named('2'), 'not a recording\n');
    const text = await listText(folder);
    expect(text).toContain(`\nTo open the newest: mcp-inspect open ${named('1')}\n`);
    expect(text).toContain(`\nTo share it: mcp-inspect share ${named('1')} --out recording.html\n`);
  });

  test('warns if the folder is a link', async () => {
    symlinkSync(folder, join(base, 'linked'));
    expect(await listText(join(base, 'linked'))).toMatch(/is a link\. mcp-inspect does not follow links/);
  });

  test('finds local recordings by a query, a time and a limit', async () => {
    vi.stubEnv('MCP_INSPECT_HOME', base);
    for (const [name, seeds] of [
      ['one', SESSION],
      ['two', SESSION.slice(0, 3)],
    ] as const) {
      recorded(folder, `20260101T000000Z-${name}-imported-0123abcd`, { id: name, seeds });
    }
    const files = async (...words: string[]) =>
      JSON.parse((await runCommand(['recordings', '--json', ...words])).stdout).map(({ file }: { file: string }) =>
        file.slice(folder.length + 18, -29),
      );
    expect(await files()).toEqual(['two', 'one']);
    expect(await files('tool:add')).toEqual(['one']);
    expect(await files('tool:sub')).toEqual([]);
    expect(await files('--limit', '1')).toEqual(['two']);
    expect(await files('--limit', '2-2')).toEqual(['one']);
    expect(await files('--since', '1h')).toEqual([]);
    const notes = async (word: string) => (await runCommand(['recordings', '--json', word])).notes.join();
    expect(await notes('pussh')).toMatch(/Searched for `pussh`\. Did you mean `recordings push`\?$/);
    expect(await notes(base)).toMatch(/ To read files, use `report` or `search`\.$/);
    expect(await notes('kraken')).toBe('mcp-inspect: Searched for `kraken`.');
    expect((await runCommand(['recordings', 'kraken', 'is:ok'])).code).toBe(EXIT.serverError);
    expect((await runCommand(['recordings', 'tool:add'])).code).toBe(EXIT.fine);
    expect((await runCommand(['recordings', '--since', '1h'])).code).toBe(EXIT.fine);
    await expect(runCommand(['recordings', '--since', 'soon'])).rejects.toThrow('`--since soon` is not a time');
    await expect(runCommand(['recordings', '--cache', 'only'])).rejects.toThrow('`--cache` is about a bucket');
    await expect(runCommand(['recordings', '--cache', 'all', 's3://b'])).rejects.toThrow('choose from only, refresh');
    await expect(runCommand(['recordings', '--limit', '3-1'])).rejects.toThrow('has no rows');
    await expect(runCommand(['recordings', 'colour:red'])).rejects.toThrow('`colour:` is unknown');
  });
});
