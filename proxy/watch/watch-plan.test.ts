import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { watchFiles } from './file-watcher';
import { newFolder, removeFolders } from './fixtures/edited-server';
import { planOf, planOfGlobs, type WatchPlan } from './watch-plan';

afterEach(removeFolders);

/** Makes a folder with these files, and returns the names of those that a plan watches. */
async function watched(
  files: readonly string[],
  planFor: (folder: string) => WatchPlan | undefined,
): Promise<readonly string[] | undefined> {
  const folder = newFolder();
  for (const file of files) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.endsWith('.gitignore') ? 'generated/\n*.gen.ts\n!keep.gen.ts\n' : '');
  }
  const plan = planFor(folder);
  if (!plan) return undefined;
  const { files: count, close } = await watchFiles(plan, () => {});
  await close();
  const found = files.filter((file) => {
    const path = join(folder, file);
    const parts = file.split('/').slice(0, -1);
    const inside = plan.roots.some((root) => path === root || path.startsWith(`${root}/`));
    const skipped = parts.some((_, at) => {
      const above = join(folder, ...parts.slice(0, at + 1));
      return plan.roots.some((root) => above.startsWith(`${root}/`)) && plan.skipsFolder(above);
    });
    return inside && !skipped && plan.matches(path);
  });
  expect(count).toBe(found.length);
  return found;
}

const command =
  (line: string, builds = false) =>
  (folder: string) => {
    const [command = '', ...args] = line.split(' ');
    return planOf({ command, args, cwd: folder }, builds, '/home/nobody');
  };

describe('the files of a command', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'node src/server.js',
      ['package.json', 'src/server.js', 'lib/a.mjs', 'README.md', 'data.json', 'node_modules/x/index.js', 'dist/a.js'],
      ['src/server.js', 'lib/a.mjs'],
    ],
    ['npx -y tsx watch.ts', ['watch.ts', 'other/b.ts', '.cache/c.ts', '.hidden.ts'], ['watch.ts', 'other/b.ts']],
    // A compiler writes there, and a restart before that would be useless.
    [
      'node dist/server.js',
      ['package.json', 'src/server.ts', 'dist/server.js', 'dist/x/y.js'],
      ['dist/server.js', 'dist/x/y.js'],
    ],
    [
      'uv run server.py',
      ['pyproject.toml', 'server.py', 'pkg/a.py', '.venv/b.py', '__pycache__/c.py'],
      ['server.py', 'pkg/a.py'],
    ],
    ['uv --directory app run server.py', ['app/pyproject.toml', 'app/server.py', 'else.py'], ['app/server.py']],
    ['python -m notes', ['pyproject.toml', 'notes/__main__.py', 'notes.md'], ['notes/__main__.py']],
    ['go run .', ['go.mod', 'main.go', 'x/y.go', 'vendor/z.go'], ['main.go', 'x/y.go']],
    ['cargo run', ['Cargo.toml', 'src/main.rs', 'target/debug/build.rs'], ['src/main.rs']],
    [
      'npm start',
      ['package.json', 'a.ts', 'generated/b.ts', 'c.gen.ts', 'keep.gen.ts', '.gitignore'],
      ['a.ts', 'keep.gen.ts'],
    ],
    // A program without a language: its own file.
    ['./target/debug/server', ['Cargo.toml', 'src/main.rs', 'target/debug/server'], ['target/debug/server']],
  ])('%s', async (line, files, expected) => {
    expect(await watched(files, command(line))).toEqual(expected);
  });

  test('are the sources alone if there is a build', async () => {
    const files = ['Cargo.toml', 'src/main.rs', 'target/debug/server'];
    expect(await watched(files, command('./target/debug/server', true))).toEqual(['src/main.rs']);
    const compiled = ['package.json', 'src/server.ts', 'dist/server.js'];
    expect(await watched(compiled, command('node dist/server.js', true))).toEqual(['src/server.ts']);
  });

  test('are none if nothing says where they are', async () => {
    expect(await watched(['a.js'], command('npx some-server'))).toBeUndefined();
    expect(planOf({ command: 'npx', args: ['x'], cwd: '/' }, false)).toBeUndefined();
    const home = newFolder();
    writeFileSync(join(home, 'package.json'), '{}');
    expect(planOf({ command: 'npx', args: ['x'], cwd: home }, false, home)).toBeUndefined();
  });
});

describe('the files of globs', () => {
  const globs =
    (...patterns: string[]) =>
    (folder: string) =>
      planOfGlobs(patterns, folder);

  test.each<[readonly string[], readonly string[]]>([
    [['src/**/*.{ts,json}'], ['src/a.ts', 'src/x/b.json']],
    [['src'], ['src/a.ts', 'src/x/b.json', 'src/c.md']],
    [
      ['dist/*.js', 'one.txt'],
      ['dist/d.js', 'one.txt'],
    ],
    [['**/*.md'], ['src/c.md']],
    [['{src,dist}/{a,d}.{ts,js}'], ['src/a.ts', 'dist/d.js']],
    [['./src/*.ts'], ['src/a.ts']],
  ])('%j', async (patterns, expected) => {
    const files = ['src/a.ts', 'src/x/b.json', 'src/c.md', 'dist/d.js', 'one.txt', 'node_modules/x/e.md'];
    expect(await watched(files, globs(...patterns))).toEqual(expected);
  });
});

describe('bounds', () => {
  test('of a folder with too many files are reported', async () => {
    const folder = newFolder();
    for (let at = 0; at < 60; at++) writeFileSync(join(folder, `f${at}.js`), '');
    const watch = await watchFiles(planOfGlobs(['.'], folder), () => {}, { most: 50 });
    expect(watch).toMatchObject({ files: 50, limit: expect.stringContaining('Only the first 50 files are watched') });
    await watch.close();
  });

  test('do not count files that are gone', async () => {
    const folder = newFolder();
    for (const name of ['a.js', 'b.js']) writeFileSync(join(folder, name), '');
    const changed: string[] = [];
    const watch = await watchFiles(planOfGlobs(['.'], folder), (path) => changed.push(path), { most: 2 });
    rmSync(join(folder, 'a.js'));
    await expect.poll(() => changed).toContain(join(folder, 'a.js'));
    expect(watch.files).toBe(1);
    writeFileSync(join(folder, 'c.js'), '');
    await expect.poll(() => changed).toContain(join(folder, 'c.js'));
    expect(watch).toMatchObject({ files: 2, limit: undefined });
    await watch.close();
  });

  test('never leave out the file that runs', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'a'));
    for (let at = 0; at < 60; at++) writeFileSync(join(folder, 'a', `f${at}.js`), '');
    writeFileSync(join(folder, 'server.js'), '');
    const changed: string[] = [];
    const plan = planOf({ command: 'node', args: ['server.js'], cwd: folder }, false)!;
    const watch = await watchFiles(plan, (path) => changed.push(path), { most: 10 });
    writeFileSync(join(folder, 'server.js'), 'x');
    await expect.poll(() => changed).toContain(join(folder, 'server.js'));
    await watch.close();
  });

  test('attack: links in a loop, and out of the folder, are not followed', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'a.js'), '');
    symlinkSync(folder, join(folder, 'loop'));
    symlinkSync('/', join(folder, 'root'));
    const watch = await watchFiles(planOfGlobs(['.'], folder), () => {});
    expect(watch).toMatchObject({ files: 1, limit: undefined });
    await watch.close();
  });
});
