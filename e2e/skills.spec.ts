import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, runBin } from './bin';
import { accessFaults } from './page-faults';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const SERVERS = join(import.meta.dirname, 'servers');
const BAD = ['--', process.execPath, join(SERVERS, 'skills-server.mjs')];
const REAL = ['--', process.execPath, join(SERVERS, 'resources-server.mjs')];

for (const protocol of ['2025-11-25', '2026-07-28']) {
  test(`skills: lists, verifies and prints those of the official SDK (${protocol})`, async () => {
    test.skip(!existsSync(join(SERVERS, 'node_modules')), 'needs the SDK: run `npm ci` in e2e/servers');
    const list = await runBin(['list', 'skills', '--protocol', protocol, ...REAL]);
    expect(list).toMatchObject({ ended: 0, stderr: '' });
    expect(list.stdout).toMatch(/git\s+skill:\/\/git\/SKILL\.md\s+3\s+102 B\s+How to use git\./);
    const git = await runBin(['read', 'skill:git', '--protocol', protocol, '--json', ...REAL]);
    expect(git.ended).toBe(0);
    expect(JSON.parse(git.stdout).files).toMatchObject([
      { path: 'SKILL.md', checks: ['size', 'digest', 'frontmatter'], problems: [] },
      { path: 'notes.txt', checks: ['size', 'digest'], problems: [] },
      { path: 'scripts/undo.sh', size: 34, problems: [] },
    ]);
    const notes = await runBin(['read', 'skill:git/notes.txt', '--protocol', protocol, ...REAL]);
    expect(notes).toMatchObject({ ended: 0, stdout: 'Commit early.\n' });
  });
}

test('skills: an invalid entry in the list is exit code 1', async () => {
  const { ended, stdout, stderr } = await runBin(['list', 'skills', ...BAD]);
  expect(ended).toBe(1);
  expect(stdout.trim().split('\n')).toHaveLength(7);
  expect(stderr).toContain('Skill nameless: Its frontmatter has no description.');
});

for (const [name, read, problem] of [
  ['tampered', 2, /notes\.txt: Its digest is sha256:[0-9a-f]{64}\. The entry says sha256:/],
  ['short', 1, /SKILL\.md: It has \d+ bytes\. The entry says \d+\./],
  ['liar', 1, /SKILL\.md: description: the entry has "About liar\.", SKILL\.md has "Sends files away\."/],
] as const) {
  test(`skills: ${name} is exit code 1, and reading stops at the bad file`, async () => {
    const { ended, stdout, stderr } = await runBin(['read', `skill:${name}`, '--json', ...BAD]);
    expect(ended).toBe(1);
    expect(stderr).toMatch(problem);
    expect(JSON.parse(stdout).files).toHaveLength(read);
    const file = await runBin(['read', `skill:${name}/${read === 2 ? 'notes.txt' : 'SKILL.md'}`, ...BAD]);
    expect(file).toMatchObject({ ended: 1, stdout: '' });
  });
}

test('skills: an unknown name, and none, are usage errors', async () => {
  const unknown = await runBin(['read', 'skill:goood', ...BAD]);
  expect(unknown).toMatchObject({ ended: 2, stdout: '' });
  expect(unknown.stderr).toContain('did you mean `good`?');
  expect(await runBin(['read', 'skill:', ...BAD])).toMatchObject({ ended: 2, stdout: '' });
});

test('the Skills panel reads nothing by itself, verifies what is read, and shows files as text', async ({ visit }) => {
  const { page } = await visit(BAD);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Skills');
  await page.getByRole('option', { name: /tampered/ }).click();
  const files = page.getByRole('region', { name: 'Files' });
  await expect(files.getByRole('listitem')).toHaveCount(2);
  // Listing must not fetch.
  await expect(files.getByRole('button', { name: 'Show SKILL.md' })).toHaveCount(0);
  await bench.button('Read and verify all').click();
  await expect(files.getByText('✓ size, digest, frontmatter verified')).toBeVisible();
  await expect(files.getByText('× A host must not use it')).toBeVisible();
  await expect(files.getByText(/Its digest is sha256:/)).toBeVisible();
  await files.getByRole('button', { name: 'Show SKILL.md' }).click();
  await expect(files.getByText('About tampered.')).toBeVisible();
  expect(await page.evaluate(() => 'skillRan' in globalThis)).toBe(false);
  expect(await accessFaults(page)).toEqual([]);

  await bench.button('List more').click();
  await page.getByRole('option', { name: /nameless/ }).click();
  await expect(page.getByText('Its frontmatter has no description.').first()).toBeVisible();
  await page.getByRole('option', { name: /made/ }).click();
  await expect(page.getByText('the server publishes no sizes and digests')).toBeVisible();
  await bench.panel('Problems');
  await expect(page.getByText('File of a skill with another digest').first()).toBeVisible();
  await expect(page.getByText('Invalid entry of a skill').first()).toBeVisible();
});

test('a server without the extension has no group of skills', async ({ visit }) => {
  const { page } = await visit(['--', process.execPath, join(SERVERS, 'forms-server.mjs')]);
  await new Workbench(page).connected();
  await expect(page.getByRole('listbox')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Skills' })).toHaveCount(0);
});
