import { describe, expect, test } from 'vitest';
import { chooseTests, reachedTests } from './choose-tests.mjs';

/** Returns tests as `path distance`, for the texts of modules and the names of other files. */
function reach(modules, changed, others = []) {
  const texts = new Map(Object.entries(modules));
  const { reached } = reachedTests(texts, new Set([...texts.keys(), ...others]), changed);
  return reached.map((one) => `${one.test} ${one.distance}`);
}

describe('imports', () => {
  const MODULES = {
    'lib/wire/frame.ts': '',
    'lib/wire/frame.test.ts': `import { frame } from './frame';`,
    'lib/store/log.ts': `import { frame } from '@/lib/wire/frame';`,
    'lib/store/log.test.ts': `import { log } from './log';`,
    'proxy/tap/tap.ts': `const { log } = await import('@/lib/store/log');`,
    'proxy/tap/tap.test.ts': `import { tap } from './tap';`,
    'proxy/tap/other.test.ts': `import { other } from './other';`,
  };

  test('are counted, nearest first', () => {
    expect(reach(MODULES, ['lib/wire/frame.ts'])).toEqual([
      'lib/wire/frame.test.ts 1',
      'lib/store/log.test.ts 2',
      'proxy/tap/tap.test.ts 3',
    ]);
  });

  test('a changed test runs itself', () => {
    expect(reach(MODULES, ['proxy/tap/other.test.ts'])).toEqual(['proxy/tap/other.test.ts 0']);
  });

  test('the nearest changed file counts', () => {
    const texts = new Map(Object.entries(MODULES));
    const changed = ['lib/wire/frame.ts', 'lib/store/log.ts'];
    const { reached } = reachedTests(texts, new Set(texts.keys()), changed);
    expect(reached).toContainEqual({ test: 'proxy/tap/tap.test.ts', distance: 2, from: 'lib/store/log.ts' });
  });

  test('a deleted file reaches what imported it, and a deleted test does not run', () => {
    const { 'lib/wire/frame.ts': _frame, 'lib/wire/frame.test.ts': _test, ...left } = MODULES;
    expect(reach(left, ['lib/wire/frame.ts', 'lib/wire/frame.test.ts'])).toEqual([
      'lib/store/log.test.ts 2',
      'proxy/tap/tap.test.ts 3',
    ]);
  });

  test('of types, and in comments, do not count', () => {
    const modules = {
      'lib/a/a.ts': '',
      'lib/a/types.test.ts': `import type {\n  A,\n} from './a';\nexport type { B } from './a';`,
      'lib/a/comment.test.ts': `// import { a } from './a';`,
      'lib/a/mixed.test.ts': `import { type A, a } from './a';`,
    };
    expect(reach(modules, ['lib/a/a.ts'])).toEqual(['lib/a/mixed.test.ts 1']);
  });
});

describe('mentions', () => {
  test.each([
    ['from the folder', `join(import.meta.dirname, 'fixtures/killed.mjs')`],
    ['from the root', '`${ROOT}/proxy/a/fixtures/killed.mjs`'],
    ['by its name', `join(FIXTURES, 'killed.mjs')`],
    ['from elsewhere', `new URL('../a/fixtures/killed.mjs', import.meta.url)`],
  ])('a process is started by its path %s', (_, text) => {
    const modules = { 'proxy/a/fixtures/killed.mjs': '', 'proxy/a/a.test.ts': text, 'proxy/b/b.test.ts': '' };
    expect(reach(modules, ['proxy/a/fixtures/killed.mjs'])).toEqual(['proxy/a/a.test.ts 1']);
  });

  test('a fixture reaches the tests of what imports the file that mentions it', () => {
    const modules = {
      'proxy/a/fixtures/server.mjs': '',
      'proxy/a/test-server.ts': `spawn(process.execPath, [join(import.meta.dirname, 'fixtures/server.mjs')]);`,
      'proxy/b/b.test.ts': `import { start } from '../a/test-server';`,
    };
    expect(reach(modules, ['proxy/a/fixtures/server.mjs'])).toEqual(['proxy/b/b.test.ts 2']);
  });

  test('a name that several files have is the one in or below the folder', () => {
    const modules = {
      'proxy/a/fixtures/server.mjs': '',
      'proxy/b/server.mjs': '',
      'proxy/a/a.test.ts': `join(FIXTURES, 'server.mjs')`,
      'proxy/b/b.test.ts': `'server.mjs'`,
    };
    expect(reach(modules, ['proxy/a/fixtures/server.mjs'])).toEqual(['proxy/a/a.test.ts 1']);
  });

  test('a module that nothing names reaches the tests of its folder', () => {
    const modules = {
      'proxy/a/fixtures/x.mjs': '',
      'proxy/a/a.test.ts': '`${FOLDER}/${name}.mjs`',
      'proxy/a.test.ts': '',
    };
    expect(reach(modules, ['proxy/a/fixtures/x.mjs'])).toEqual(['proxy/a/a.test.ts 1']);
  });

  test('a file that is not a module reaches the tests that mention it, and those of its folder', () => {
    const modules = {
      'lib/a/a.test.ts': `toMatchFileSnapshot(join(ROOT, 'docs/a.md'))`,
      'lib/a/b.test.ts': `join(import.meta.dirname, 'fixtures/b.json')`,
      'lib/a/c.test.ts': '',
    };
    expect(reach(modules, ['docs/a.md'], ['docs/a.md'])).toEqual(['lib/a/a.test.ts 1']);
    const files = ['lib/a/a.test.ts 1', 'lib/a/b.test.ts 1', 'lib/a/c.test.ts 1'];
    expect(reach(modules, ['lib/a/fixtures/b.json'], ['lib/a/fixtures/b.json']).sort()).toEqual(files);
  });

  test('a document reaches the test of links', () => {
    expect(reach({ 'scripts/links.test.mjs': '' }, ['docs/a.md'], ['docs/a.md'])).toEqual(['scripts/links.test.mjs 1']);
  });
});

test.each(['vitest.config.ts', 'vitest.setup.ts', 'package-lock.json', 'tsconfig.json'])('%s reaches all', (path) => {
  expect(reachedTests(new Map(), new Set(), ['lib/a.ts', path]).setup).toEqual([path]);
});

describe('chooseTests', () => {
  const reached = (test, distance) => ({ test, distance, from: 'lib/wire/frame.ts' });
  const REACHED = [
    reached('lib/store/a.test.ts', 1),
    reached('proxy/tap/b.test.ts', 1),
    reached('proxy/tap/c.test.ts', 2),
    reached('components/log/d.test.ts', 2),
    reached('lib/store/e.test.ts', 3),
    reached('lib/wire/f.test.ts', 3),
  ];
  /** Returns the letters of those that run, and of those that are left out. */
  const choose = (tests, mostCost) => {
    const { chosen, leftOut } = chooseTests(tests, mostCost);
    return [chosen, leftOut].map((some) => some.map(({ test }) => test.split('/').at(-1)[0]).join(''));
  };

  test.each([
    ['all run if they cost little', 100, 'abcdef', ''],
    ['far tests of the proxy are left out first, because they cost more', 12, 'abdef', 'c'],
    ['near and cheap ones run', 5, 'adef', 'bc'],
    ['far ones are left out, except beside the change', 2, 'af', 'bcde'],
    ['nothing is cheap enough, except beside the change', 0, 'f', 'abcde'],
  ])('%s', (_, mostCost, chosen, leftOut) => {
    expect(choose(REACHED, mostCost)).toEqual([chosen, leftOut]);
  });

  test('a distance that is too expensive ends the project, so nothing farther runs in place of something near', () => {
    const tests = [reached('proxy/a/a.test.ts', 1), reached('proxy/a/b.test.ts', 1), reached('proxy/a/c.test.ts', 2)];
    expect(choose(tests, 10)).toEqual(['', 'abc']);
  });

  test('changed tests always run', () => {
    expect(choose([reached('proxy/z/z.test.ts', 0)], 0)).toEqual(['z', '']);
  });

  test('nothing is reached', () => {
    expect(choose([], 100)).toEqual(['', '']);
  });
});
