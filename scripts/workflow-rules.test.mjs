import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { trackedFiles } from './tracked-files.mjs';
import { workflowProblems } from './workflow-rules.mjs';

const root = join(import.meta.dirname, '..');
const COMMIT = '0123456789abcdef0123456789abcdef01234567';

test.each(trackedFiles(/^\.github\/(?:workflows|actions)\/.*\.ya?ml$/))('%s keeps the rules', (path) => {
  expect(workflowProblems(basename(path), readFileSync(join(root, path), 'utf8'))).toEqual([]);
});

/** Returns a workflow with one job. */
function workflow({ on = 'push', permissions = 'contents: read', job = '', steps = '- run: npm ci' } = {}) {
  return `on: ${on}\npermissions:\n  ${permissions}\njobs:\n  one:\n    timeout-minutes: 5\n${job}    steps:\n      ${steps}\n`;
}

test('a workflow that keeps them has no problems', () => {
  const steps = `- uses: actions/checkout@${COMMIT} # v1.2.3\n        with: { persist-credentials: false }`;
  expect(workflowProblems('a.yml', workflow({ steps }))).toEqual([]);
});

test.each([
  [{ steps: '- uses: owner/action@v5 # v5.0.0' }, 'one: owner/action@v5 is not pinned by commit'],
  [
    { steps: `- uses: owner/action@${COMMIT}` },
    `"- uses: owner/action@${COMMIT}" needs a comment with the version, such as \`# v1.2.3\``,
  ],
  [{ steps: `- uses: actions/checkout@${COMMIT} # v5.0.0` }, 'one: a checkout leaves its credentials'],
  [
    { steps: '- run: echo ${{ github.head_ref }}' },
    'one: an expression is pasted into the script "echo ${{ github.head_ref }}"',
  ],
  [{ permissions: 'contents: write' }, 'must start with the permissions `contents: read`'],
  [
    { job: '    permissions: { packages: write }\n' },
    'one: has the permissions {"packages":"write"}, expected undefined',
  ],
  [{ on: 'pull_request_target' }, 'runs on pull_request_target, which a fork can cause'],
  [{ on: '[push, workflow_run]' }, 'runs on workflow_run, which a fork can cause'],
  [{ job: '    env: { TOKEN: "${{ secrets.NPM }}" }\n' }, 'one: uses a secret'],
])('names a broken rule: %j', (change, problem) => {
  expect(workflowProblems('a.yml', workflow(change))).toEqual([problem]);
});

test('a job with rights runs on a push alone, and with exactly its rights', () => {
  const release = (on, rights) =>
    `on: ${on}\npermissions:\n  contents: read\njobs:\n  npm:\n    timeout-minutes: 5\n    ${rights}\n    steps: []\n`;
  expect(workflowProblems('release.yml', release('push', 'permissions: { id-token: write }'))).toEqual([]);
  expect(workflowProblems('release.yml', release('push', 'env: {}'))).toEqual(['npm: declares no permissions']);
  expect(workflowProblems('release.yml', release('[push, pull_request]', 'permissions: { id-token: write }'))).toEqual([
    'npm: has rights, and does not run on a push alone',
  ]);
});
