import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoCommand, expect, runBin, test } from './bin';
import { Workbench } from './workbench';

/** A session of a subcommand with the demo server, as a file. */
async function record(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'session.mcpr.jsonl');
  const { ended } = await runBin(['list', 'tools', '--record', file, '--', ...demoCommand()]);
  expect(ended).toBe(0);
  return file;
}

test('a recording opens as the inspector was, and nothing can be sent', async ({ open }, { outputDir }) => {
  const file = await record(outputDir);
  const { page } = await open(['open', file]);
  const bench = new Workbench(page);
  await expect(bench.region('About this recording')).toContainText('session.mcpr.jsonl');
  await expect(bench.region('About this recording')).not.toContainText('!');
  await expect(bench.rows.filter({ hasText: 'server/discover' }).first()).toBeVisible();
  await bench.tool('write_entry');
  await expect(bench.button('Call tool')).toBeDisabled();
  await expect(page.getByText('This is a recording: there is no server to send anything to.')).toBeVisible();
  await expect(bench.button('Restart')).toHaveCount(0);
  await bench.panel('Server');
  await expect(page.getByText('Lighthouse').first()).toBeVisible();
  // A page that is loaded again finds it again.
  await page.reload();
  await expect(bench.region('About this recording')).toContainText('session.mcpr.jsonl');
  await bench.button('Close recording').click();
  await expect(bench.region('About this recording')).toHaveCount(0);
});

test('what is damaged and missing is told, and the rest is there', async ({ open }, { outputDir }) => {
  const file = await record(outputDir);
  const lines = readFileSync(file, 'utf8').split('\n');
  lines[3] = `${lines[3]!.slice(0, 20)}~`;
  const torn = join(outputDir, 'torn.mcpr.jsonl');
  writeFileSync(torn, lines.join('\n').slice(0, -200));
  const { page } = await open(['open', torn]);
  const about = new Workbench(page).region('About this recording');
  await expect(about).toContainText('It is incomplete: its last line was cut off.');
  await expect(about).toContainText('Line 4 is damaged and left out.');
  await expect(new Workbench(page).log.getByText('recording ends')).toBeVisible();
});

test.describe('what is no recording', () => {
  for (const [what, make, sentence] of [
    ['is no such file', () => 'nowhere.mcpr.jsonl', /There is no such file: check the path/],
    ['is a directory', (folder: string) => folder, /It is/],
    [
      'is another file',
      (folder: string) => {
        writeFileSync(join(folder, 'a.txt'), 'hello\n');
        return join(folder, 'a.txt');
      },
      /This is no recording: its first line is not the header of one\./,
    ],
  ] as const) {
    test(`${what}: one sentence, and nothing is started`, async ({ start: _ }, { outputDir }) => {
      mkdirSync(outputDir, { recursive: true });
      const { ended, stderr } = await runBin(['--no-open', 'open', make(outputDir)]);
      expect(ended).toBe(2);
      expect(stderr).toMatch(sentence);
    });
  }
});
