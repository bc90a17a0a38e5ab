import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { RecordingReader } from '../lib/recording/recording-reader';
import { demoCommand, expect, hostileCommand, runBin, test } from './bin';
import { Workbench } from './workbench';

/** Records `list tools` with the demo server to a file. */
async function record(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'session.mcpr.jsonl');
  const { ended } = await runBin(['list', 'tools', '--record', file, '--', ...demoCommand()]);
  expect(ended).toBe(0);
  return file;
}

test('a recording opens read-only in the inspector @firefox', async ({ open }, { outputDir }) => {
  const file = await record(outputDir);
  const { page } = await open(['open', file]);
  const bench = new Workbench(page);
  await expect(bench.region('About this recording')).toContainText('session.mcpr.jsonl');
  await expect(bench.region('About this recording')).not.toContainText('!');
  await expect(bench.rows.filter({ hasText: 'server/discover' }).first()).toBeVisible();
  await bench.tool('write_entry');
  await expect(page.getByText('No matching tools/call request in this recording')).toBeVisible();
  await expect(bench.button('Call tool')).toHaveCount(0);
  await expect(bench.button('Restart')).toHaveCount(0);
  await bench.panel('Server');
  await expect(page.getByText('Lighthouse').first()).toBeVisible();
  // A reload opens it again.
  await page.reload();
  await expect(bench.region('About this recording')).toContainText('session.mcpr.jsonl');
  await bench.button('Close recording').click();
  await expect(bench.region('About this recording')).toHaveCount(0);
});

test('the page opens a chosen recording and explains why another file is not one', async ({ open }, { outputDir }) => {
  const file = await record(outputDir);
  writeFileSync(join(outputDir, 'other.jsonl'), 'hello\n');
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const choose = async (path: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('combobox', { name: /Search/ }).fill('open recording');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(path);
  };
  await choose(join(outputDir, 'other.jsonl'));
  await expect(page.getByText('This file is not a recording: its first line is not a recording header.')).toBeVisible();
  await choose(file);
  await expect(bench.region('About this recording')).toContainText('session.mcpr.jsonl');
  await expect((await bench.openRecordings()).getByRole('listitem')).toHaveCount(1);
});

test('damaged and missing parts are reported, the rest is shown', async ({ open }, { outputDir }) => {
  const file = await record(outputDir);
  const lines = readFileSync(file, 'utf8').split('\n');
  lines[3] = `${lines[3]!.slice(0, 20)}~`;
  const torn = join(outputDir, 'torn.mcpr.jsonl');
  writeFileSync(torn, lines.join('\n').slice(0, -200));
  const { page } = await open(['open', torn]);
  const bench = new Workbench(page);
  const about = bench.region('About this recording');
  await expect(about).toContainText('The recording is incomplete: its last line is cut off.');
  await expect(about).toContainText('Line 4 is damaged and was skipped.');
  // The notice stands in the gap's place. Later frames keep their numbers from the file.
  await expect(bench.rows.filter({ hasText: 'Line 4 is damaged. 1 frame is missing here.' })).toContainText(/^3/);
  await expect(bench.log).toContainText(`${(await bench.count()) - 1} frames`);
  const asked = lines.find((line) => line.includes('"method":"tools/list"'))!;
  await bench.rows.filter({ hasText: 'tools/list' }).first().click();
  await expect(page).toHaveURL(new RegExp(`frame=${JSON.parse(asked).n}\\b`));
});

test('frames of channels that nothing reads are rows, can be filtered, and stay in a shared copy', async ({ open }, {
  outputDir,
}) => {
  const file = await record(outputDir);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(0, -1);
  const n = lines.length;
  const others = [
    `{"n":${n},"t":99000000,"c":"otel","d":"<","m":{"span":"render the map","ms":12.50}}`,
    `{"n":${n + 1},"t":99000000,"c":"com.example/x","d":">","text":"plain \\u001b[31mtext"}`,
    `{"n":${n + 2},"t":99000000,"c":"__proto__","d":"<","text":""}`,
  ];
  const made = join(outputDir, 'channels.mcpr.jsonl');
  writeFileSync(made, `${[...lines.filter((line) => !line.startsWith('{"k":')), ...others].join('\n')}\n`);
  const { page } = await open(['open', made]);
  const bench = new Workbench(page);
  await bench.filter('kind:other');
  await expect(bench.rows).toHaveCount(3);
  await expect(bench.rows.nth(0)).toContainText(/otel\s*\{"span":"render the map","ms":12\.50\}/);
  await expect(bench.rows.nth(1)).toContainText(/com\.example\/x\s*plain text/);
  await expect(bench.rows.nth(2)).toContainText('__proto__');
  await bench.filter('channel:otel');
  await expect(bench.rows).toHaveCount(1);
  await bench.rows.first().click();
  await expect(bench.tree).toContainText('render the map');
  const copy = join(outputDir, 'copy.mcpr.jsonl');
  expect((await runBin(['share', made, '--out', copy])).ended).toBe(0);
  for (const line of others) {
    expect(readFileSync(copy, 'utf8')).toContain(line.slice(line.indexOf('"c":')));
  }
});

test.describe('a file that is not a recording', () => {
  for (const [what, make, sentence] of [
    ['a missing file', () => 'nowhere.mcpr.jsonl', /File not found. Check the path/],
    ['an empty folder', (folder: string) => folder, /There is no recording \(NAME\.mcpr\.jsonl or NAME\.mcpr\.gz\) in/],
    [
      'another kind of file',
      (folder: string) => {
        writeFileSync(join(folder, 'a.txt'), 'hello\n');
        return join(folder, 'a.txt');
      },
      /This file is not a recording: its first line is not a recording header\./,
    ],
    [
      'a newer version of the format',
      (folder: string) => {
        const header = { mcpr: 3, id: 'a-recording', at: '2026-01-01T00:00:00.000Z', name: 'x', transport: 'stdio' };
        const frame = { n: 1, t: 0, c: 'protocol', d: '<', m: {} };
        writeFileSync(join(folder, 'a.mcpr.jsonl'), `${JSON.stringify(header)}\n${JSON.stringify(frame)}\n`);
        return join(folder, 'a.mcpr.jsonl');
      },
      /has format version 3, which this mcp-inspect cannot read\. Update mcp-inspect/,
    ],
  ] as const) {
    test(`${what}: one error, and nothing starts`, async ({ start: _ }, { outputDir }) => {
      mkdirSync(outputDir, { recursive: true });
      const { ended, stderr } = await runBin(['--no-open', 'open', make(outputDir)]);
      expect(ended).toBe(2);
      expect(stderr).toMatch(sentence);
    });
  }
});

/** Lists the recordings that this test's mcp-inspect has made. */
function recordings(): string[] {
  const folder = test.info().outputPath('home/recordings');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

test('records every connection as it runs, readable only by its owner', async ({ open }) => {
  const { page, bin } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const [file] = recordings();
  expect(statSync(file!).mode & 0o777).toBe(0o600);
  await expect(bench.button('recording')).toHaveAttribute('title', new RegExp(`Recording in .*${basename(file!)}`));
  await bench.button('recording').click();
  await expect(bench.region('Recordings')).toBeVisible();
  await expect(bench.recordings).toHaveAttribute('aria-current', 'true');
  await page.goBack();
  await expect(bench.log).toBeVisible();
  await bench.disconnect();
  await expect(bench.button('recorded')).toBeVisible();
  await expect.poll(() => readFileSync(file!, 'utf8')).toContain('"event":"open"');
  bin.kill('SIGTERM');
  await bin.ended;
  const { page: again } = await open(['open', file!]);
  const about = new Workbench(again).region('About this recording');
  await expect(about).toBeVisible();
  await expect(about).not.toContainText('The end line is missing');
});

test('--record off records nothing; --record names the file', async ({ open, start }, { outputDir }) => {
  const { page } = await open(['--record', 'off', '--', ...demoCommand()]);
  await new Workbench(page).connected();
  await expect(page.getByRole('button', { name: 'not recorded' })).toBeVisible();
  expect(recordings()).toEqual([]);
  mkdirSync(outputDir, { recursive: true });
  const named = join(outputDir, 'named.mcpr.jsonl');
  await start(['--record', named, '--', ...demoCommand()]);
  await expect.poll(() => existsSync(named) && readFileSync(named, 'utf8')).toContain('"event":"open"');
  const { ended, stderr } = await runBin(['--record', named, '--', ...demoCommand()]);
  expect(ended).toBe(2);
  expect(stderr).toContain('already exists');
});

// proxy/recorder/killed.test.ts kills 200 writers. This test kills the whole program.
const KILLS = Number(process.env.MCP_INSPECT_KILLS ?? 3);

test(`killed ${KILLS} times during a flood: every complete line can be read`, async ({ start }) => {
  test.setTimeout(30_000 + KILLS * 5000);
  for (let kill = 0; kill < KILLS; kill++) {
    const before = new Set(recordings());
    const bin = await start(['--', ...hostileCommand('stderr-flood')]);
    const file = () => recordings().find((path) => !before.has(path));
    const enough = 2000 + Math.random() * 500_000;
    await expect.poll(() => (file() ? statSync(file()!).size : 0), { intervals: [5] }).toBeGreaterThan(enough);
    bin.kill('SIGKILL');
    await bin.ended;
    const bytes = readFileSync(file()!);
    const lines = bytes.filter((byte) => byte === 10).length;
    const reader = new RecordingReader();
    expect(reader.readChunk(bytes)).toHaveLength(lines - 1);
    const torn = bytes.at(-1) !== 10;
    expect(reader.finish()).toMatchObject({ torn, damaged: { count: 0 }, missing: 0, complete: false });
  }
});

test('recordings are listed and can be opened, exported and deleted', async ({ open }) => {
  const { bin, page: first } = await open(['--', ...demoCommand()]);
  await new Workbench(first).connected();
  bin.kill('SIGTERM');
  await bin.ended;
  const [file] = recordings();
  const printed = await runBin(['recordings']);
  expect(printed.stdout).toMatch(/^STARTED .*\n[\d-]+ [\d:]+ +Skerry Light /);

  const { page } = await open([]);
  const bench = new Workbench(page);
  await bench.button('Recordings').click();
  const rows = bench.recordings;
  await expect(rows).toHaveCount(1);
  const [, what, , , frames, problems] = await rows.getByRole('cell').all();
  await expect(what!).toContainText('Skerry Lightserver.mjs');
  await expect(problems!).not.toHaveText('…');
  const counted = await frames!.innerText();
  const download = page.waitForEvent('download');
  await bench.ofRecording(/^More about Skerry Light/, 'Export');
  expect(readFileSync(await (await download).path())).toEqual(readFileSync(file!));
  await rows.getByRole('button', { name: 'Skerry Light', exact: true }).click();
  await expect(bench.region('About this recording')).toBeVisible();
  await expect(bench.rows.first()).toBeVisible();
  await expect(bench.log).toContainText(`${counted} frames`);
  await bench.button('Recordings').click();
  await bench.ofRecording(/^More about Skerry Light/, 'Delete…');
  await expect(bench.button('Keep')).toBeFocused();
  await bench.button('Delete permanently').click();
  await expect(rows).toHaveCount(0);
  expect(recordings()).toEqual([]);
});

test('a note and a bookmark stay with the recording: live, after a reload, when opened', async ({ open }) => {
  const { page, bin } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const probe = bench.rows.filter({ hasText: 'server/discover' }).first();
  await probe.click();
  await expect(bench.detail).toBeVisible();
  await bench.detail.getByRole('button', { name: 'Add note' }).click();
  await bench.field('Note on #3').fill('Here it\nbegins');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.detail.getByRole('region', { name: 'Note' })).toContainText('Here it');
  await bench.detail.getByRole('button', { name: /^Add bookmark/ }).click();
  await expect(probe.getByTitle('Bookmark: Here it')).toBeVisible();

  await page.reload();
  await expect(bench.detail.getByRole('region', { name: 'Note' })).toContainText('begins');
  await bench.disconnect();
  await expect.poll(() => readFileSync(recordings()[0]!, 'utf8')).toContain('"k":"end"');
  // A bookmark can still be added after the file's end line.
  await bench.rows.filter({ hasText: 'tools/list' }).first().click();
  await expect(bench.detail).toContainText('tools/list');
  await bench.detail.getByRole('button', { name: /^Add bookmark/ }).click();
  await expect(bench.rows.getByTitle('Bookmark', { exact: true })).toBeVisible();
  bin.kill('SIGTERM');
  await bin.ended;

  const { page: again } = await open(['open', recordings()[0]!]);
  const opened = new Workbench(again);
  await expect(opened.region('About this recording')).not.toContainText('!');
  await opened.filterBox.fill('has:bookmark');
  await expect(opened.rows).toHaveCount(2);
  await opened.filterBox.fill('');
  await opened.rows.first().click();
  await opened.keys(']');
  await expect(opened.detail.getByRole('region', { name: 'Note' })).toContainText('Here it');
  await opened.button('Remove note').click();
  await opened.detail.getByRole('button', { name: 'Remove bookmark' }).click();
  await expect(opened.detail.getByRole('region', { name: 'Note' })).toHaveCount(0);
  await opened.keys(']');
  await expect(opened.detail).toContainText('tools/list');
  await again.reload();
  await expect(opened.rows.getByTitle(/^Bookmark/)).toHaveCount(1);
  await expect(opened.region('About this recording')).not.toContainText('!');
});

test('an earlier moment of a recording: every panel shows the state at that moment', async ({ open }, {
  outputDir,
}) => {
  const file = await record(outputDir);
  const { page } = await open(['open', file]);
  const bench = new Workbench(page);
  const moment = page.getByRole('slider', { name: 'Moment' });
  const tools = page.getByRole('contentinfo');
  await expect(tools).toContainText('26 tools');
  const row = bench.rows.filter({ hasText: 'tools/list' }).first();
  const seq = Number(await row.getByRole('gridcell').first().innerText());
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Show state at this message' }).click();
  await expect(bench.region('Time')).toContainText(`Showing the past, as of #${seq}`);
  await expect(bench.region('About this recording')).toBeVisible();
  await expect(page.getByText('Listing tools was in progress at this moment')).toBeVisible();
  await expect(tools).not.toContainText('26 tools');
  await expect(row).toHaveAttribute('aria-current', 'step');
  await expect(row).toContainText('in flight');
  await expect(page).toHaveURL(new RegExp(`moment=${seq}`));

  await page.reload();
  await expect(page.getByText('Listing tools was in progress at this moment')).toBeVisible();
  await moment.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(tools).toContainText('26 tools');
  await expect(row).toContainText('ok');
  // A key plays the recording to its end.
  await bench.keys(';');
  await expect(bench.region('Time')).toContainText('End of recording.');
  await moment.focus();
  await page.keyboard.press('Home');
  await expect(bench.region('Time')).toContainText(/as of #1(?!\d)/);
  await expect(tools).not.toContainText('26 tools');
  await bench.button('Go to the end').click();
  await expect(bench.region('Time')).toContainText('End of recording.');
  await expect(page).not.toHaveURL(/moment/);
  await expect(tools).toContainText('26 tools');
});

test('a long name with many badges stays in its column', async ({ open }, { outputDir }) => {
  const lines = readFileSync(await record(outputDir), 'utf8')
    .split('\n')
    .slice(0, -2);
  lines[3] = `${lines[3]!.slice(0, 20)}~`;
  const about = { event: 'about', name: 'the one where the call hangs '.repeat(5), text: '' };
  lines.push(JSON.stringify({ n: 999, t: 9e9, c: 'lifecycle', d: '<', m: about }));
  const folder = join(test.info().outputPath('home'), 'recordings');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '20260101T000000Z-x-imported-01234567.mcpr.jsonl'), `${lines.join('\n')}\n`);
  const { page } = await open([]);
  await page.setViewportSize({ width: 1024, height: 700 });
  const bench = new Workbench(page);
  await bench.button('Recordings').click();
  await expect(bench.recordings.getByText('1 damaged line')).toBeVisible();
  const cell = bench.recordings.getByRole('cell').nth(1);
  expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('recordings can be imported, checked, named and deleted; the days to keep can be set', async ({ open }, {
  outputDir,
}) => {
  const file = await record(outputDir);
  const { page } = await open([]);
  const bench = new Workbench(page);
  await bench.button('Recordings').click();
  const rows = bench.recordings;
  const importing = async (path: string) => {
    const chooser = page.waitForEvent('filechooser');
    await bench.button('Import…').click();
    await (await chooser).setFiles(path);
  };
  writeFileSync(join(outputDir, 'other.jsonl'), 'hello\n');
  await importing(join(outputDir, 'other.jsonl'));
  await expect(page.getByText('This file is not a recording: its first line is not a recording header.')).toBeVisible();
  await importing(file);
  await expect(rows).toHaveCount(1);
  await importing(file);
  await expect(rows).toHaveCount(2);
  await expect(rows.getByText('none', { exact: true })).toHaveCount(2);
  for (const kept of recordings()) expect(readFileSync(kept)).toEqual(readFileSync(file));

  // Esc closes the question and returns the focus; the list stays open.
  for (const asks of ['Edit name and note…', 'Delete…']) {
    await bench.ofRecording(/^More about/, asks);
    await page.keyboard.press('Escape');
    await expect(rows.first().getByRole('button', { name: /^More about/ })).toBeFocused();
  }
  const title = page.getByRole('columnheader', { name: 'Size' });
  await title.getByRole('button').click();
  await expect(title).toHaveAttribute('aria-sort', 'descending');
  await expect(rows).toHaveCount(2);

  await bench.ofRecording(/^More about/, 'Edit name and note…');
  await bench.field('Name').fill('Before the fix');
  await bench.field('Note').fill('It lists twice.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(rows.getByText('It lists twice.')).toBeVisible();
  expect((await runBin(['recordings'])).stdout).toContain('Before the fix (Skerry Light)');
  await page.reload();
  await bench.button('Recordings').click();
  await expect(rows.getByRole('button', { name: 'Before the fix', exact: true })).toBeVisible();

  await bench.field('Days').fill('7');
  await bench.button('Save').click();
  await expect(bench.button('Save')).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await bench.button('Delete selected').click();
  await expect(page.getByText('Delete 2 recordings? This can’t be undone.')).toBeVisible();
  await bench.button('Delete permanently').click();
  await expect(rows).toHaveCount(0);
  expect(recordings()).toEqual([]);
  await page.reload();
  await bench.button('Recordings').click();
  await expect(bench.field('Days')).toHaveValue('7');
});

test('forms of a recording show the newest arguments sent up to the chosen moment', async ({ open }) => {
  const { page, bin } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('count_waves');
  for (const waves of ['3', '18446744073709551615']) {
    await bench.field('waves').fill(waves);
    await bench.call();
    await expect(bench.result).toContainText(`${waves} waves`);
  }
  await expect.poll(() => readFileSync(recordings()[0]!, 'utf8')).toContain('18446744073709551615 waves');
  // A killed process cannot write the end line.
  bin.kill('SIGKILL');
  await bin.ended;

  const { page: again } = await open(['open', recordings()[0]!]);
  const opened = new Workbench(again);
  await expect(opened.region('About this recording')).toContainText('The end line is missing');
  await opened.tool('count_waves');
  const waves = opened.field('waves');
  await expect(waves).toHaveValue('18446744073709551615');
  await expect(waves).toHaveAttribute('readonly');
  await expect(opened.button('Call tool')).toHaveCount(0);
  await expect(again.getByText('missing', { exact: true })).toHaveCount(0);
  await expect(again.getByRole('button', { name: /^Add field|^Fill|^History/ })).toHaveCount(0);

  // Steps back over the second response, then over its request.
  const moment = again.getByRole('slider', { name: 'Moment' });
  await moment.focus();
  await again.keyboard.press('ArrowLeft');
  await again.keyboard.press('ArrowLeft');
  await expect(waves).toHaveValue('3');
  await expect(again.getByText(/the latest up to this moment/)).toBeVisible();
  await again.keyboard.press('Home');
  await opened.button('Go to the end').click();
  await expect(waves).toHaveValue('18446744073709551615');

  await opened.panel('New message');
  await expect(again.getByText('Read-only: nothing can be sent')).toBeVisible();
  await opened.button('Recordings').click();
  await expect(opened.recordings.first().getByText('incomplete')).toBeVisible();
});
