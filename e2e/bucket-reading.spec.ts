import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestBucket, TEST_KEYS, type TestBucket } from '@/features/team/proxy/bucket/test-bucket';
import { writeLongRecording } from '../bench/long-recording';
import { demoCommand, expect, runBin, test } from './bin';
import { copiedBy } from './clipboard';
import { accessFaults } from './page-faults';
import { Workbench } from './workbench';

let bucket: TestBucket;
let env: Record<string, string>;
let folder: string;
const PLACE = 's3://team/mcp';

test.beforeAll(async () => {
  test.setTimeout(120_000);
  bucket = await startTestBucket();
  env = bucket.env as Record<string, string>;
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-e2e-'));
  const record = async (name: string, words: readonly string[], tags: readonly string[]) => {
    const file = join(folder, name);
    await runBin([...words, '--record', file, '--', ...demoCommand()]);
    await push(file, tags);
  };
  await record('list.mcpr.jsonl', ['list', 'tools'], ['nightly']);
  await record('call.mcpr.jsonl', ['call', 'drop_lens'], ['nightly', 'eu']);
  const long = join(folder, 'long.mcpr.jsonl');
  await writeLongRecording(long, 9000);
  await push(long, []);
});
test.afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await bucket.close();
});

async function push(file: string, tags: readonly string[]): Promise<void> {
  const words = [
    'recordings',
    'push',
    file,
    PLACE,
    '--s3',
    'author=Ada',
    ...tags.flatMap((tag) => ['--s3', `tag=${tag}`]),
  ];
  const { ended, stderr } = await runBin(words, { env });
  expect(stderr).not.toContain(TEST_KEYS.secretAccessKey);
  expect(ended).toBe(0);
}

/** Bytes of recordings that the store was asked for. */
function requestedBytes(): number {
  return bucket.seen
    .filter(({ method, target }) => method === 'GET' && target.includes('/recordings/v1/'))
    .map(({ headers }) => /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? ''))
    .reduce((sum, range) => sum + (range ? Number(range[2]) - Number(range[1]) + 1 : Number.POSITIVE_INFINITY), 0);
}

test('the page lists, searches, opens and compares the recordings of a bucket', async ({ open }, { outputDir }) => {
  test.setTimeout(120_000);
  const home = { ...env, MCP_INSPECT_HOME: join(outputDir, 'home') };
  const { page } = await open(['--s3', `from=${PLACE}`, '--', ...demoCommand()], { env: home });
  const bench = new Workbench(page);
  await bench.connected();
  await bench.keys('g', 'l');
  await page.getByRole('tab', { name: 'Bucket' }).click();
  const list = page.getByRole('listbox', { name: 'Recordings in the bucket' });
  await expect(list.getByRole('option')).toHaveCount(3);
  await expect(page.getByText(PLACE, { exact: true })).toBeVisible();

  expect(await accessFaults(page)).toEqual([]);

  const search = page.getByRole('searchbox', { name: 'Search the bucket' });
  await search.fill('is:failed tag:eu');
  await expect(list.getByRole('option')).toHaveCount(1);
  await expect(page).toHaveURL(/q=is%3Afailed\+tag%3Aeu/);
  await expect(page.getByText('1 of 3 recordings')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'With errors' })).toBeChecked();
  await search.fill('is:odd');
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toContainText('is:odd is unknown');
  await search.fill('nothing like this');
  await expect(page.getByText('No recording matches your search')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(list.getByRole('option')).toHaveCount(3);

  // A link finds the recording again.
  await search.fill('server:long');
  await expect(list.getByRole('option')).toHaveCount(1);
  const copied = (name: string) => copiedBy(page, () => page.getByRole('button', { name }).click());
  expect(await copied('Copy command')).toMatch(/^mcp-inspect open s3:\/\/team\/mcp\/recordings\/v1\/.+\.mcpr\.jsonl$/);
  const link = await copied('Copy link');
  await search.fill('');
  await page.goto(link);
  await expect(list.getByRole('option')).toHaveCount(1);
  await expect(list.getByRole('option', { name: /^long/ })).toBeVisible();

  // By the keyboard, and without reading all of it.
  bucket.seen.length = 0;
  await list.focus();
  await page.keyboard.press('Enter');
  const about = bench.region('About this recording');
  await expect(about).toContainText('read in parts from s3://team/mcp/recordings/v1/');
  await expect(bench.rows.first()).toBeVisible();
  expect(requestedBytes()).toBeLessThan(3_000_000);

  // Two, which are downloaded.
  await bench.keys('g', 'l');
  await page.getByRole('tab', { name: 'Bucket' }).click();
  await search.fill('tag:nightly');
  await expect(list.getByRole('option')).toHaveCount(2);
  await list.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(list.getByRole('option', { selected: true })).toHaveCount(2);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Swap sides' })).toBeVisible();

  await page.goBack();
  await expect(list).toBeVisible();
  await page.getByRole('button', { name: 'Copy to this machine' }).click();
  await expect(page.getByText('copied to this machine')).toBeVisible();
  expect(readdirSync(join(outputDir, 'home/recordings')).filter((name) => name.includes('imported'))).not.toHaveLength(
    0,
  );
});

test('the page says why a bucket can’t be read, and reads it once it can', async ({ open }, { outputDir }) => {
  const home = { ...env, MCP_INSPECT_HOME: join(outputDir, 'home') };
  bucket.fault = (_, response) => {
    response.writeHead(403).end();
    return true;
  };
  const { page } = await open(['--s3', `from=${PLACE}`, '--demo'], { env: home });
  await new Workbench(page).connected();
  await page.goto(`${page.url().split('?')[0]}?page=recordings&source=bucket`);
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toContainText(
    'The store denied access to s3://team/mcp',
  );
  bucket.fault = undefined;
  await page.getByRole('button', { name: 'Try again' }).click();
  const list = page.getByRole('listbox', { name: 'Recordings in the bucket' });
  await expect(list.getByRole('option')).toHaveCount(3);
  expect(await page.content()).not.toContain(TEST_KEYS.secretAccessKey);
});

test('the command line lists, opens and pulls recordings of a bucket', async ({ open }, { outputDir }) => {
  const home = { ...env, MCP_INSPECT_HOME: join(outputDir, 'home') };
  const { stdout, ended } = await runBin(['recordings', PLACE, '--json', 'server:long'], { env: home });
  expect(ended).toBe(0);
  const [{ url }] = JSON.parse(stdout) as [{ url: string }];
  expect(url).toMatch(/^s3:\/\/team\/mcp\/recordings\/v1\//);
  const table = await runBin(['recordings', PLACE, '--cache', 'only', '--limit', '3-4'], { env: home });
  expect(table.stdout).toContain('3 to 3 of 3 recordings in s3://team/mcp.');
  const file = join(outputDir, 'pulled.mcpr.jsonl');
  mkdirSync(outputDir, { recursive: true });
  const pulled = await runBin(['recordings', 'pull', url, file], { env: home });
  expect(pulled.stderr).toContain('Its digest is that of its name in the bucket.');
  expect(existsSync(file)).toBe(true);
  const none = await runBin(
    ['recordings', 'pull', `${url.slice(0, -20)}0.mcpr.jsonl`, join(outputDir, 'none.mcpr.jsonl')],
    {
      env: home,
    },
  );
  expect(none.ended).toBe(2);
  expect(none.stderr).toContain('There is no s3://team/mcp/recordings/v1/');
  expect(existsSync(join(outputDir, 'none.mcpr.jsonl'))).toBe(false);

  const { page } = await open(['open', url, '--frames', '2'], { env: home });
  await expect(page).toHaveURL(/frame=2/);
  await expect(page.getByText('protocolVersion').first()).toBeVisible();
});
