import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { testFolder } from '@/proxy/commands/test-folder';
import { textEditor } from './text-editor';

const folder = testFolder();

/** Makes an editor of a script, with the file as `$1`. */
function editor(name: string, script: string) {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const notes: string[] = [];
  return { edit: textEditor({ EDITOR: `${path} --wait` }, (note) => notes.push(note))!, notes };
}

test.skipIf(process.platform === 'win32')('edits a text in a private file, without the keys of models', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'sk-canary');
  const seen = join(folder, 'seen');
  const { edit } = editor('edits', `ls -l "$2" > '${seen}'; echo "$1$OPENAI_API_KEY" >> '${seen}'; echo more >> "$2"`);
  expect(await edit('{"a":1}')).toBe('{"a":1}\nmore');
  expect(readFileSync(seen, 'utf8')).toMatch(/^-rw------- .*text\.json\n--wait\n$/);
});

test.skipIf(process.platform === 'win32')('says why nothing was saved', async () => {
  const failing = editor('fails', 'exit 3');
  expect(await failing.edit('a')).toBeUndefined();
  expect(failing.notes).toEqual([expect.stringMatching(/fails failed: it ended with code 3\.$/)]);
  const notes: string[] = [];
  const missing = textEditor({ VISUAL: 'no-such-editor' }, (note) => notes.push(note))!;
  expect(await missing('a')).toBeUndefined();
  expect(notes.join()).toContain('no-such-editor failed: spawn no-such-editor ENOENT.');
});

test.each([{}, { EDITOR: ' ' }, { EDITOR: '"open' }])('%j names no editor', (variables) => {
  expect(textEditor(variables, () => {})).toBeUndefined();
});
