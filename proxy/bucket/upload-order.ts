import { maskedUrl } from '@/lib/transports/masking';
import type { UploadOrder } from '@/proxy/recorder/outbox';
import { readGitFacts } from './git-facts';
import { type AddressOptions, readS3Address } from './s3-address';

type Environment = Readonly<Record<string, string | undefined>>;

/** The choices for uploads on a command line. */
export interface UploadChoices extends AddressOptions {
  readonly to: string;
  readonly tags: readonly string[];
  readonly author?: string | undefined;
  readonly isStrict: boolean;
  readonly policy?: UploadOrder['policy'];
}

/**
 * Makes the order for recordings of this process. Keeps the parts of the environment that say where the bucket is,
 * because another process may upload them. Throws a StoreError `store-address`.
 */
export async function makeOrder(choices: UploadChoices, env: Environment, cwd: string): Promise<UploadOrder> {
  const { to, tags, isStrict, policy, style } = choices;
  readS3Address(to, choices, env);
  const [git, run] = [await readGitFacts(cwd), ciRun(env)];
  const endpoint = choices.endpoint ?? (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined);
  const region = choices.region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined);
  return {
    ...{ to, endpoint, region, style, profile: env.AWS_PROFILE || env.AWS_DEFAULT_PROFILE || undefined },
    ...{ tags, isStrict, policy },
    author: choices.author ?? run?.author ?? git.author,
    commit: run?.commit ?? git.commit,
    ci: run && { name: run.name, ...(run.url !== undefined && { run: run.url }) },
  };
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
