import { resolve } from 'node:path';
import type { UploadWords } from '@/features/recording-store';
import { maskedUrl } from '@/lib/transports/masking';
import { MOST_POLICY_BYTES, POLICY_FILE } from '@/proxy/commands/share/policy-file';
import { foundFile, keptDecisions } from '@/proxy/files/decisions';
import { repositoryRoot } from '@/proxy/files/repository-folders';
import { readNamedFile } from '@/proxy/files/user-files';
import type { PolicyOrder, UploadOrder } from '@/proxy/recorder/outbox';
import { readGitFacts } from './git-facts';
import { readS3Address } from './s3-address';
import { StoreError } from './store-error';

type Environment = Readonly<Record<string, string | undefined>>;

/** Most tags of a recording. */
const MOST_TAGS = 20;
const STYLES = ['path', 'host'] as const;

/**
 * Makes the order for recordings of this process. Keeps the parts of the environment that say where the bucket is,
 * because another process may upload them. Rejects with a StoreError `store-address` for options that can’t be used.
 */
export async function makeOrder(words: UploadWords, env: Environment, cwd: string): Promise<UploadOrder> {
  const { to, tags, mask, addressing } = words;
  if (mask.some((word) => word !== 'strict')) {
    throw wrong('With an upload, `--mask` can only be strict.', 'What else is masked stands in the file of --policy.');
  }
  const style = STYLES.find((known) => known === addressing);
  if (addressing !== undefined && !style) {
    throw wrong(`\`--s3 addressing=${addressing.slice(0, 60)}\` is invalid.`, `Choose from ${STYLES.join(', ')}.`);
  }
  if (tags.length > MOST_TAGS) throw wrong(`A recording has at most ${MOST_TAGS} tags.`, 'Remove some of --s3 tag.');
  readS3Address(to, { endpoint: words.endpoint, region: words.region, style }, env);
  const [git, run, policy] = [await readGitFacts(cwd), ciRun(env), await readPolicyText(words.policy, cwd)];
  const endpoint = words.endpoint ?? (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined);
  const region = words.region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined);
  return {
    to,
    endpoint,
    region,
    style,
    profile: env.AWS_PROFILE || env.AWS_DEFAULT_PROFILE || undefined,
    tags,
    isStrict: mask.length > 0,
    policy,
    author: words.author ?? run?.author ?? git.author,
    commit: run?.commit ?? git.commit,
    ci: run && { name: run.name, ...(run.url !== undefined && { run: run.url }) },
  };
}

/** Reads the policy, which is parsed when a copy is made: what can’t be parsed is not uploaded. */
async function readPolicyText(named: string | undefined, cwd: string): Promise<PolicyOrder | undefined> {
  const file = named ?? POLICY_FILE;
  const path = resolve(cwd, file);
  const { text, wrong: why } = await readNamedFile(path, {
    most: MOST_POLICY_BYTES,
    within: named === undefined ? repositoryRoot(cwd) : undefined,
  });
  if (text !== undefined) {
    const mayKeep = named !== undefined || (await keptDecisions().read(foundFile(path, text), 'kept-values')) === true;
    return { file, text, mayKeep };
  }
  if (why === undefined && named === undefined) return undefined;
  throw wrong(`\`${file}\` can’t be used as a policy. ${why ?? 'It was not found.'}`, 'Correct it, or its path.');
}

function wrong(message: string, advice: string): StoreError {
  return new StoreError('store-address', message, advice);
}

interface CiRun {
  readonly name: string;
  readonly url?: string | undefined;
  readonly commit?: string | undefined;
  readonly author?: string | undefined;
}

/** Variables that have the address of the run, in systems without a row below. */
const RUN_URLS = ['BUILD_URL', 'CIRCLE_BUILD_URL', 'BUILDKITE_BUILD_URL', 'CI_PIPELINE_URL', 'TRAVIS_BUILD_WEB_URL'];

/** Returns the CI run of this process; undefined outside of CI. */
export function ciRun(env: Environment): CiRun | undefined {
  if (env.GITHUB_ACTIONS === 'true') {
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
    const url = server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
    return { name: 'github', url: httpUrl(url), commit: hash(env.GITHUB_SHA), author: env.GITHUB_ACTOR || undefined };
  }
  if (env.GITLAB_CI === 'true') {
    const url = httpUrl(env.CI_JOB_URL ?? env.CI_PIPELINE_URL);
    return { name: 'gitlab', url, commit: hash(env.CI_COMMIT_SHA), author: env.GITLAB_USER_LOGIN || undefined };
  }
  if (!env.CI || env.CI === 'false') return undefined;
  const url = RUN_URLS.map((name) => httpUrl(env[name])).find((found) => found !== undefined);
  return { name: 'ci', url };
}

/** The address of a run may hold a password or a token. */
function httpUrl(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? maskedUrl(text) : undefined;
}

function hash(text: string | undefined): string | undefined {
  return text !== undefined && /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
}
