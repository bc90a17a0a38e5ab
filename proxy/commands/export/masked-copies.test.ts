import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { testFolder } from '@/proxy/commands/test-folder';
import { NO_STATUS } from '@/proxy/library/quiet-run';
import { exportMasked } from './masked-copies';

test('a form gives up after a recording that can’t be read, so that nothing keeps the program running', async () => {
  const path = join(testFolder(), 'bad.mcpr.jsonl');
  writeFileSync(path, '{"mcpr":{"toString":1}}\n');
  const form = { add: vi.fn(), end: async () => EXIT.fine, abandon: vi.fn(async () => {}) };
  const context = { version: '0', status: NO_STATUS, printNote: () => {}, policy: undefined };
  const exported = exportMasked(
    [{ path, shown: 'bad', isNamed: true }],
    form,
    context as unknown as Parameters<typeof exportMasked>[2],
  );
  await expect(exported).rejects.toThrow('is not a recording');
  expect(form.abandon).toHaveBeenCalledOnce();
  expect(form.add).not.toHaveBeenCalled();
});
