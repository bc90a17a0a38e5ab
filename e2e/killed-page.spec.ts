import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecordingReader } from '../lib/recording/recording-reader';
import { expect, findLink, hasProcess, hostileCommand, runBin, spawnBinIn, test, whenEnded } from './bin';

test.skip(process.platform !== 'linux', 'reads /proc');

/** Kills of a running page. */
const KILLS = process.env.TEST_LONG ? 60 : 4;
/** How long processes may outlive the page, in ms. */
const GONE_MS = 10_000;
/** Servers with processes of their own. Some ignore SIGTERM, or are in another session. */
const SERVERS = [
  ['grandchild'],
  ['stubborn-tree'],
  ['setsid'],
  ['burst', '200000'],
  ['stderr-flood', '100000'],
  ['honest'],
];

test(`attack: after ${KILLS} SIGKILLs of the page at any moment no process is left, recordings open, and it starts again`, async () => {
  test.setTimeout(process.env.TEST_LONG ? 1_200_000 : 120_000);
  const home = test.info().outputPath('home');
  mkdirSync(home, { recursive: true });
  let port = '0';
  // How long a page takes to start, which shows how busy the machine is.
  let startMs = 0;
  let seed = 43;
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const word = `killed-${process.pid}-${kill}`;
    const command = [...hostileCommand(...SERVERS[kill % SERVERS.length]!), word];
    const { child, output } = spawnBinIn(home, ['--no-open', '--port', port, '--', ...command]);
    const ended = whenEnded(child);
    const begun = performance.now();
    if (kill === 0) {
      // All others use its port again.
      port = new URL(await findLink(child, output)).port;
      startMs = performance.now() - begun;
    }
    // Some die before they have started, most while their server runs.
    await new Promise((resolve) => setTimeout(resolve, random() * 5 * startMs));
    child.kill('SIGKILL');
    expect(await ended, output.stderr).toBe('SIGKILL');
    await expect.poll(() => hasProcess(word), { timeout: GONE_MS, message: command.join(' ') }).toBe(false);
  }
  const { child, output } = spawnBinIn(home, ['--no-open', '--port', port]);
  const ended = whenEnded(child);
  expect(new URL(await findLink(child, output)).port).toBe(port);
  child.kill('SIGTERM');
  expect(await ended).toBe(143);

  const folder = join(home, 'recordings');
  const files = readdirSync(folder).filter((name) => /\.mcpr\.(?:jsonl|gz)$/.test(name));
  expect(files.length).toBeGreaterThan(KILLS / 6);
  for (const name of files) {
    const reader = new RecordingReader();
    const frames = reader.readChunk(readFileSync(join(folder, name)));
    // One that was killed before its first frame has only a header.
    if (frames.length > 0) expect(reader.finish(), name).toMatchObject({ damaged: { count: 0 }, missing: 0 });
  }
  expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  const env = { MCP_INSPECT_HOME: home };
  const listed = await runBin(['recordings', '--json'], { env });
  expect([listed.ended, JSON.parse(listed.stdout).length]).toEqual([0, files.length]);
  // A search of a folder leaves out recordings without a frame, and says so.
  const searched = await runBin(['search', 'kind:lifecycle', folder], { env });
  expect(searched.ended, searched.stderr).toBe(0);
});
