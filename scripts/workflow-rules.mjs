// The rules that our workflows and actions have to keep. scripts/workflow-rules.test.mjs applies them to all.
import { parse } from 'yaml';

/** Events that run with our rights on what a fork wrote. */
const WITH_FORKS = ['pull_request_target', 'workflow_run', 'issue_comment', 'issues'];
/** The permissions that a job may have, by workflow and job. Every other job may read the code and nothing else. */
const MORE_RIGHTS = {
  'release.yml': {
    npm: { 'id-token': 'write' },
    'github-release': { contents: 'write' },
    image: { contents: 'read', packages: 'write' },
    pages: { pages: 'write', 'id-token': 'write' },
  },
};

/**
 * Returns a sentence for each rule that a workflow, or an action of this repository, breaks.
 * @param {string} name of the file
 * @param {string} text
 * @returns {string[]}
 */
export function workflowProblems(name, text) {
  const found = [];
  const workflow = parse(text);
  const events = eventsOf(workflow.on);
  const forks = events.filter((event) => WITH_FORKS.includes(event));
  if (forks.length > 0) found.push(`runs on ${forks.join(' and ')}, which a fork can cause`);
  const jobs = Object.entries(workflow.jobs ?? { action: { steps: workflow.runs?.steps } });
  if (workflow.jobs) {
    if (JSON.stringify(workflow.permissions) !== '{"contents":"read"}') {
      found.push('must start with the permissions `contents: read`');
    }
    for (const [id, job] of jobs) found.push(...rightsProblems(name, id, job, events));
  }
  for (const [id, job] of jobs) {
    for (const step of job.steps ?? []) found.push(...stepProblems(step).map((problem) => `${id}: ${problem}`));
  }
  for (const line of text.split('\n')) {
    const comment = /\buses: (?!\.\/)\S+(.*)$/.exec(line)?.[1];
    if (comment !== undefined && !/^ # v\d+\.\d+\.\d+$/.test(comment)) {
      found.push(`"${line.trim()}" needs a comment with the version, such as \`# v1.2.3\``);
    }
  }
  return found;
}

function eventsOf(on) {
  if (typeof on === 'string') return [on];
  return Array.isArray(on) ? on : Object.keys(on ?? {});
}

function rightsProblems(name, id, job, events) {
  const found = [];
  const allowed = MORE_RIGHTS[name]?.[id];
  if (job.permissions !== undefined && JSON.stringify(job.permissions) !== JSON.stringify(allowed ?? {})) {
    found.push(`${id}: has the permissions ${JSON.stringify(job.permissions)}, expected ${JSON.stringify(allowed)}`);
  }
  if (allowed && job.permissions === undefined) found.push(`${id}: declares no permissions`);
  if (allowed && events.some((event) => event !== 'push'))
    found.push(`${id}: has rights, and does not run on a push alone`);
  if (job['timeout-minutes'] === undefined) found.push(`${id}: has no timeout-minutes`);
  if (/\bsecrets\b/.test(JSON.stringify(job))) found.push(`${id}: uses a secret`);
  return found;
}

function stepProblems(step) {
  const found = [];
  if (step.uses && !step.uses.startsWith('./') && !/@[0-9a-f]{40}$/.test(step.uses)) {
    found.push(`${step.uses} is not pinned by commit`);
  }
  if (step.uses?.startsWith('actions/checkout@') && step.with?.['persist-credentials'] !== false) {
    found.push('a checkout leaves its credentials');
  }
  if (step.run?.includes('${{')) found.push(`an expression is pasted into the script "${step.run.split('\n')[0]}"`);
  return found;
}
