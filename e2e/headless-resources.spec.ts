import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, runBin, runBinUntil, test } from './bin';

const SERVERS = join(import.meta.dirname, 'servers');
test.skip(!existsSync(join(SERVERS, 'node_modules')), 'needs the SDK: run `npm ci` in e2e/servers');

const server = ['--', process.execPath, join(SERVERS, 'resources-server.mjs')];

test('--complete: values, other arguments, counts and errors', async () => {
  const region = await runBin(['prompt', 'deploy', 'environment=production', '--complete', 'region=e', ...server]);
  expect(region).toMatchObject({ ended: 0, stdout: 'eu-west\neu-north\n' });
  const city = await runBin([
    'read',
    'city://{country}/{city}',
    '--complete',
    'city=',
    '--arg',
    'country=norway',
    '--json',
    ...server,
  ]);
  expect(JSON.parse(city.stdout).completion.values).toEqual(['bergen', 'oslo']);
  const towns = await runBin(['prompt', 'deploy', '--complete', 'town=', ...server]);
  expect(towns.stdout.trim().split('\n')).toHaveLength(100);
  expect(towns.stderr).toContain('The server has 250 completions and sent 100.');
  const none = await runBin(['prompt', 'deploy', '--complete', 'region=zzz', ...server]);
  expect(none).toMatchObject({ ended: 0, stdout: '' });
  expect(none.stderr).toContain('no completions for this value');
  const broken = await runBin(['prompt', 'deploy', '--complete', 'broken=', ...server]);
  expect(broken).toMatchObject({ ended: 1, stdout: '' });
  expect(broken.stderr).toContain('no completions today');
});

for (const protocol of ['2025-11-25', '2026-07-28']) {
  test(`read directory:URI lists children (${protocol})`, async () => {
    const git = await runBin(['read', 'directory:skill://git', '--protocol', protocol, ...server]);
    expect(git.ended).toBe(0);
    expect(git.stdout).toMatch(/skill:\/\/git\/scripts\s+scripts\s+inode\/directory/);
    const missing = await runBin(['read', 'directory:skill://none', '--protocol', protocol, ...server]);
    expect(missing).toMatchObject({ ended: 1, stdout: '' });
  });

  test(`read --follow prints the resource on each change, until Ctrl-C (${protocol})`, async () => {
    const followed = await runBinUntil(
      ['read', 'notes://counter', '--follow', '--protocol', protocol, ...server],
      /read 3\n/,
    );
    expect(followed.stdout).toMatch(/^read 1\nread 2\nread 3\n/);
    expect(followed.ended).toBe(130);
  });
}
