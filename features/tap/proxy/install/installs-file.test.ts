import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { InstallsFile } from './installs-file';

test('reads the list as 0.1.0 wrote it, and leaves a newer one as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'installs.json');
  cpSync(join(import.meta.dirname, 'fixtures/installs-0.1.0.json'), path);
  const file = new InstallsFile(join(folder, 'recordings'));
  expect(await file.read()).toEqual([
    expect.objectContaining({ host: 'cursor', entry: ['mcpServers', 'house'], withoutList: true }),
  ]);
  const newer = readFileSync(path, 'utf8').replace('"version":1', '"version":2');
  writeFileSync(path, newer);
  await expect(file.change([])).rejects.toMatchObject({
    code: 'installs-unreadable',
    message: `A newer mcp-inspect wrote the list of installed taps in \`${path}\`: format 2, and this one reads 1.`,
  });
  expect(readFileSync(path, 'utf8')).toBe(newer);
});
