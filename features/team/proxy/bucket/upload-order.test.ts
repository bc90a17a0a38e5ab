import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readGitFacts } from './git-facts';
import { ciRun, makeOrder } from './upload-order';

const HASH = 'ab'.repeat(20);
const OTHER = 'cd'.repeat(20);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-order-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes files below the folder. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

test.each<[string, Record<string, string>, string, object]>([
  ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${HASH}\n` }, '', { commit: HASH }],
  ['a folder below', { '.git/HEAD': HASH, 'a/b/c': '' }, 'a/b', { commit: HASH }],
  [
    'packed references',
    {
      '.git/HEAD': 'ref: refs/heads/x/y\n',
      '.git/packed-refs': `# pack\n${OTHER} refs/heads/y\n${HASH} refs/heads/x/y\n`,
    },
    '',
    { commit: HASH },
  ],
  [
    'a worktree',
    {
      'tree/.git': 'gitdir: ../main/.git/worktrees/tree\n',
      'main/.git/worktrees/tree/HEAD': 'ref: refs/heads/w\n',
      'main/.git/worktrees/tree/commondir': '../..\n',
      'main/.git/worktrees/tree/gitdir': '../../../../tree/.git\n',
      'main/.git/refs/heads/w': HASH,
      'main/.git/config': '[core]\n\tname = no\n[user]\n\tname = "Ada L."\n',
    },
    'tree',
    { commit: HASH, author: 'Ada L.' },
  ],
  [
    'a submodule',
    {
      '.git/HEAD': OTHER,
      'sub/.git': 'gitdir: ../.git/modules/sub\n',
      '.git/modules/sub/HEAD': HASH,
      '.git/modules/sub/config': '[core]\n\tworktree = ../../../sub\n[user]\nname = Ada\n',
    },
    'sub',
    { commit: HASH, author: 'Ada' },
  ],
  [
    'a file that leads to a folder of somebody else',
    { 'cloned/.git': 'gitdir: ../other/.git\n', 'other/.git/HEAD': HASH, 'other/.git/config': '[user]\nname = Eve\n' },
    'cloned',
    {},
  ],
  ['the config of the user', { '.gitconfig': '[User]\r\n  Name = Ada\r\n[alias]\n name = x\n' }, '', { author: 'Ada' }],
  ['no commit yet', { '.git/HEAD': 'ref: refs/heads/main\n' }, '', {}],
  ['a reference that leads elsewhere', { '.git/HEAD': 'ref: refs/../../etc/passwd\n' }, '', {}],
  ['no repository', {}, '', {}],
])('reads git: %s', async (_, files, cwd, expected) => {
  write(files);
  expect(await readGitFacts(join(folder, cwd), folder)).toEqual(expected);
});

test.each<[string, Record<string, string>, object | undefined]>([
  ['none', {}, undefined],
  ['CI=false', { CI: 'false' }, undefined],
  [
    'GitHub',
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'a/b',
      GITHUB_RUN_ID: '7',
      GITHUB_SHA: HASH,
      GITHUB_ACTOR: 'mona',
    },
    { name: 'github', url: 'https://github.com/a/b/actions/runs/7', commit: HASH, author: 'mona' },
  ],
  [
    'GitLab',
    { GITLAB_CI: 'true', CI_JOB_URL: 'https://gitlab.test/1', CI_COMMIT_SHA: HASH, GITLAB_USER_LOGIN: 'ada' },
    { name: 'gitlab', url: 'https://gitlab.test/1', commit: HASH, author: 'ada' },
  ],
  ['another', { CI: '1', BUILD_URL: 'https://u:planted@ci.test/1?token=planted' }, { name: 'ci' }],
  ['no URL', { CI: '1', BUILD_URL: 'javascript:alert(1)' }, { name: 'ci' }],
])('finds the CI run: %s', (_, env, expected) => {
  const found = ciRun(env);
  if (expected) expect(found).toMatchObject(expected);
  else expect(found).toBeUndefined();
  expect(JSON.stringify(found) ?? '').not.toMatch(/planted|javascript/);
});

test('keeps where the bucket is, and no credential', async () => {
  write({ 'share.policy.json': '{"mask":[]}' });
  const env = {
    AWS_ACCESS_KEY_ID: 'AKIAPLANTED',
    AWS_SECRET_ACCESS_KEY: 'planted',
    AWS_SESSION_TOKEN: 'planted',
    AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000',
    AWS_REGION: 'eu-west-1',
    AWS_PROFILE: 'ci',
  };
  const order = await makeOrder({ to: 's3://team/x', tags: ['a'], mask: ['strict'] }, env, folder);
  expect(order).toMatchObject({
    to: 's3://team/x',
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu-west-1',
    profile: 'ci',
    isStrict: true,
    tags: ['a'],
    policy: { file: 'share.policy.json', text: '{"mask":[]}', mayKeep: false },
  });
  expect(JSON.stringify(order)).not.toMatch(/planted/i);
});

test.each<[string, object, RegExp]>([
  ['an address', { to: 's3://' }, /does not name a bucket/],
  ['too many tags', { tags: Array(21).fill('x') }, /at most 20 tags/],
  ['a style', { addressing: 'dns' }, /--s3 addressing=dns/],
  ['a policy that is missing', { policy: 'none.json' }, /`none\.json` can’t be used as a policy\. It was not found/],
])('refuses %s', async (_, words, sentence) => {
  const all = { to: 's3://team', tags: [], mask: [], ...words };
  await expect(makeOrder(all, {}, folder)).rejects.toThrow(sentence);
});
