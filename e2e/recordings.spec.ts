import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { RecordingReader } from '../lib/recording/recording-reader';
import { demoCommand, expect, hostileCommand, runBin, test } from './bin';
import { Workbench } from './workbench';

/** A recording of `list tools` with the demo server. */
let file: string;
test.beforeAll(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'mcp-inspect-e2e-')), 'session.mcpr.jsonl');
  const { ended } = await runBin(['list', 'tools', '--record', file, '--', ...demoCommand()]);
  expect(ended).toBe(0);
});
test.afterAll(() => rmSync(join(file, '..'), { recursive: true }));

test('a recording opens read-only, by a reload again, and when the page chooses it @firefox', async ({ open }, {
  outputDir,
}) => {
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
  await page.reload();
  await expect(bench.region('About this recording')).toContainText('session.mcpr.jsonl');
  await bench.button('Close recording').click();
  await expect(bench.region('About this recording')).toHaveCount(0);

  const choose = async (path: string) => {
    const chooser = page.waitForEvent('filechooser');
    await bench.command('Open recording');
    await (await chooser).setFiles(path);
  };
  mkdirSync(outputDir, { recursive: true });
  writeFileSync(join(outputDir, 'other.jsonl'), 'hello\n');
  await choose(join(outputDir, 'other.jsonl'));
  await expect(page.getByText('This file is not a recording: its first line is not a recording header.')).toBeVisible();
  await choose(file);
  await expect(bench.region('About this recording')).toContainText('session.mcpr.jsonl');
  await expect((await bench.openRecordings()).getByRole('listitem')).toHaveCount(1);
});

/** Writes a recording with a damaged line and a torn end. */
function tornRecording(folder: string): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  lines[3] = `${lines[3]!.slice(0, 20)}~`;
  const torn = join(folder, 'torn.mcpr.jsonl');
  writeFileSync(torn, lines.join('\n').slice(0, -200));
  return torn;
}

/** Writes a recording with frames of channels that nothing reads, and returns their lines too. */
function strangeRecording(folder: string): { strange: string; others: readonly string[] } {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(0, -1);
  const n = lines.length;
  const others = [
    `{"n":${n},"t":99000000,"c":"otel","d":"<","m":{"span":"render the map","ms":12.50}}`,
    `{"n":${n + 1},"t":99000000,"c":"com.example/x","d":">","text":"plain \\u001b[31mtext"}`,
    `{"n":${n + 2},"t":99000000,"c":"__proto__","d":"<","text":""}`,
  ];
  const strange = join(folder, 'channels.mcpr.jsonl');
  writeFileSync(strange, `${[...lines.filter((line) => !line.startsWith('{"k":')), ...others].join('\n')}\n`);
  return { strange, others };
}

test('damaged and missing parts are reported; frames of channels that nothing reads are rows, and stay in a copy', async ({
  open,
}, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const { strange, others } = strangeRecording(outputDir);
  const torn = tornRecording(outputDir);
  const { page } = await open(['open', strange, torn]);
  const bench = new Workbench(page);
  const about = bench.region('About this recording');
  await expect(about).toContainText('The recording is incomplete: its last line is cut off.');
  await expect(about).toContainText('Line 4 is damaged and was skipped.');
  // The notice stands in the gap's place. Later frames keep their numbers from the file.
  await expect(bench.rows.filter({ hasText: 'Line 4 is damaged. 1 frame is missing here.' })).toContainText(/^3/);
  const lines = readFileSync(file, 'utf8').split('\n');
  const whole = readFileSync(torn, 'utf8').match(/^\{"n":.*\}$/gm)!;
  // The notice is a frame of the opened log.
  await expect(bench.log).toContainText(`${whole.length + 1} frames`);
  const asked = lines.find((line) => line.includes('"method":"tools/list"'))!;
  await bench.rows.filter({ hasText: 'tools/list' }).first().click();
  await expect(page).toHaveURL(new RegExp(`frame=${JSON.parse(asked).n}\\b`));

  const other = (await bench.openRecordings())
    .getByRole('listitem')
    .filter({ hasNot: page.locator('[aria-current=true]') });
  await other.getByRole('button').first().click();
  await bench.closeServers();
  await expect(about).toContainText('channels.mcpr.jsonl');
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
  expect((await runBin(['share', strange, '--out', copy])).ended).toBe(0);
  for (const line of others) {
    expect(readFileSync(copy, 'utf8')).toContain(line.slice(line.indexOf('"c":')));
  }
});

test('a file that is not a recording: one error, and nothing starts', async ({ start: _ }, { outputDir }) => {
  mkdirSync(join(outputDir, 'empty'), { recursive: true });
  const written = (name: string, text: string) => {
    writeFileSync(join(outputDir, name), text);
    return join(outputDir, name);
  };
  const header = { mcpr: 3, id: 'a-recording', at: '2026-01-01T00:00:00.000Z', name: 'x', transport: 'stdio' };
  const frame = { n: 1, t: 0, c: 'protocol', d: '<', m: {} };
  const newer = written('a.mcpr.jsonl', `${JSON.stringify(header)}\n${JSON.stringify(frame)}\n`);
  for (const [path, sentence] of [
    ['nowhere.mcpr.jsonl', /File not found. Check the path/],
    [join(outputDir, 'empty'), /There is no recording \(NAME\.mcpr\.jsonl or NAME\.mcpr\.gz\) in/],
    [written('a.txt', 'hello\n'), /This file is not a recording: its first line is not a recording header\./],
    [newer, /has format version 3, which this mcp-inspect cannot read\. Update mcp-inspect/],
  ] as const) {
    const { ended, stderr } = await runBin(['--no-open', 'open', path]);
    expect(ended, path).toBe(2);
    expect(stderr).toMatch(sentence);
  }
});

/** The data folder's recordings of this test's mcp-inspect. */
const ownFolder = () => test.info().outputPath('home/recordings');

/** Writes a recording as if this test's mcp-inspect had made it. */
function keep(name: string, lines: readonly string[]): string {
  mkdirSync(ownFolder(), { recursive: true });
  const path = join(ownFolder(), `20260101T000000Z-${name}-01234567.mcpr.jsonl`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** Lists the recordings that this test's mcp-inspect has made. */
function recordings(): string[] {
  const folder = ownFolder();
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

test('--record off records nothing; --record names the file', async ({ open, start }, { outputDir }) => {
  const { page } = await open(['--record', 'off', '--', ...demoCommand()]);
  await new Workbench(page).connected();
  await expect(page.getByRole('contentinfo')).toContainText('not recorded');
  expect(recordings()).toEqual([]);
  mkdirSync(outputDir, { recursive: true });
  const named = join(outputDir, 'named.mcpr.jsonl');
  await start(['--record', named, '--', ...demoCommand()]);
  await expect.poll(() => existsSync(named) && readFileSync(named, 'utf8')).toContain('"event":"open"');
  const { ended, stderr } = await runBin(['--record', named, '--', ...demoCommand()]);
  expect(ended).toBe(2);
  expect(stderr).toContain('already exists');
});

// proxy/recorder/killed.test.ts kills writers. This test kills the whole program.
const KILLS = process.env.TEST_LONG ? 20 : 1;

test('killed during a flood: every complete line can be read', async ({ start }) => {
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

test('recordings are listed, opened, exported and deleted; a long name with many badges stays in its column', async ({
  open,
}) => {
  const whole = readFileSync(file, 'utf8').trimEnd().split('\n');
  const kept = keep('x', whole);
  const damaged = whole.slice(0, -1);
  damaged[3] = `${damaged[3]!.slice(0, 20)}~`;
  const about = { event: 'about', name: 'the one where the call hangs '.repeat(5), text: '' };
  keep('x-imported', [...damaged, JSON.stringify({ n: 999, t: 9e9, c: 'lifecycle', d: '<', m: about })]);
  expect((await runBin(['recordings'])).stdout).toMatch(/^STARTED .*\n(?:.*\n)*[\d-]+ [\d:]+ +Skerry Light /);

  const { page } = await open([]);
  await page.setViewportSize({ width: 1024, height: 700 });
  const bench = new Workbench(page);
  await bench.button('Recordings').click();
  const rows = bench.recordings;
  await expect(rows).toHaveCount(2);
  const long = rows.filter({ hasText: 'the one where' });
  await expect(long.getByText('1 damaged line')).toBeVisible();
  const cell = long.getByRole('cell').nth(1);
  expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);

  await page.setViewportSize({ width: 1440, height: 900 });
  const row = rows.filter({ hasNotText: 'the one where' });
  const [, what, , , frames, problems] = await row.getByRole('cell').all();
  await expect(what!).toContainText('Skerry Lightserver.mjs');
  await expect(problems!).not.toHaveText('…');
  const counted = await frames!.innerText();
  const download = page.waitForEvent('download');
  await bench.ofRecording(/^More about Skerry Light/, 'Export');
  expect(readFileSync(await (await download).path())).toEqual(readFileSync(kept));
  await row.getByRole('button', { name: 'Skerry Light', exact: true }).click();
  await expect(bench.region('About this recording')).toBeVisible();
  await expect(bench.rows.first()).toBeVisible();
  await expect(bench.log).toContainText(`${counted} frames`);
  await bench.button('Recordings').click();
  await bench.ofRecording(/^More about Skerry Light/, 'Delete…');
  await expect(bench.button('Keep')).toBeFocused();
  await bench.button('Delete permanently').click();
  await expect(rows).toHaveCount(1);
  expect(existsSync(kept)).toBe(false);
});

test('a connection is recorded as it runs; a note and a bookmark stay with it: live, after a reload, when opened', async ({
  open,
}) => {
  const { page, bin } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const [file] = recordings();
  expect(statSync(file!).mode & 0o777).toBe(0o600);
  await expect(page.getByTitle(new RegExp(`Recording in .*${basename(file!)}`))).toHaveText('recording');
  await bench.place('Recordings');
  await expect(bench.region('Recordings')).toBeVisible();
  await expect(bench.recordings).toHaveAttribute('aria-current', 'true');
  await page.goBack();
  await expect(bench.log).toBeVisible();
  const probe = bench.rows.filter({ hasText: 'server/discover' }).first();
  await probe.click();
  await expect(bench.detail).toBeVisible();
  await bench.detail.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('textbox', { name: /^Note on #/ }).fill('Here it\nbegins');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.detail.getByRole('region', { name: 'Note' })).toContainText('Here it');
  await bench.detail.getByRole('button', { name: /^Add bookmark/ }).click();
  await expect(probe.getByTitle('Bookmark: Here it')).toBeVisible();

  await page.reload();
  await expect(bench.detail.getByRole('region', { name: 'Note' })).toContainText('begins');
  await bench.disconnect();
  await expect(page.getByRole('contentinfo')).toContainText('recorded');
  await expect.poll(() => readFileSync(file!, 'utf8')).toContain('"k":"end"');
  expect(readFileSync(file!, 'utf8')).toContain('"event":"open"');
  // A bookmark can still be added after the file's end line.
  await bench.rows.filter({ hasText: 'tools/list' }).first().click();
  await expect(bench.detail).toContainText('tools/list');
  await bench.detail.getByRole('button', { name: /^Add bookmark/ }).click();
  await expect(bench.rows.getByTitle('Bookmark', { exact: true })).toBeVisible();
  bin.kill('SIGTERM');
  await bin.ended;

  const { page: again } = await open(['open', file!]);
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

test('an earlier moment of a recording: every panel shows the state at that moment', async ({ open }) => {
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

test('recordings can be imported, checked, named and deleted; the days to keep can be set', async ({ open }, {
  outputDir,
}) => {
  mkdirSync(outputDir, { recursive: true });
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
  await bench.field('Days').fill('7');
  await bench.button('Save').click();
  await expect(bench.button('Save')).toHaveCount(0);
  await page.reload();
  await bench.button('Recordings').click();
  await expect(rows.getByRole('button', { name: 'Before the fix', exact: true })).toBeVisible();
  await expect(bench.field('Days')).toHaveValue('7');

  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await bench.button('Delete selected').click();
  await expect(page.getByText('Delete 2 recordings? This can’t be undone.')).toBeVisible();
  await bench.button('Delete permanently').click();
  await expect(rows).toHaveCount(0);
  expect(recordings()).toEqual([]);
});

test('forms of a recording show the newest arguments sent up to the chosen moment', async ({ open }) => {
  const lines = readFileSync(file, 'utf8').split('\n');
  // A killed process cannot write the end line.
  const said = lines.slice(
    0,
    lines.findIndex((line) => line.includes('"event":"clos')),
  );
  for (const [id, waves] of ['3', '18446744073709551615'].entries()) {
    const [n, params] = [said.length, `{"name":"count_waves","arguments":{"waves":${waves}}}`];
    const result = `{"content":[{"type":"text","text":"${waves} waves"}]}`;
    said.push(
      `{"n":${n},"t":9000000,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":"c${id}","method":"tools/call","params":${params}}}`,
      `{"n":${n + 1},"t":9000000,"c":"protocol","d":"<","m":{"jsonrpc":"2.0","id":"c${id}","result":${result}}}`,
    );
  }
  const path = keep('x', said);
  const { page: again } = await open(['open', path]);
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
