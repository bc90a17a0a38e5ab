import type { FoundProfile } from './profile-files';
import { StoreError } from './store-error';

/** Keys to sign requests with. Secret: never shown, logged, recorded or passed to another process. */
export interface BucketKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Unix milliseconds. Absent: they don’t expire. */
  readonly expires?: number;
}

/** Gets credentials, again when the old ones are about to expire. */
export type CredentialSource = (signal: AbortSignal) => Promise<BucketKeys>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The file with the token of a web identity, and the role that it stands for. */
export interface WebIdentity {
  readonly role: string;
  readonly tokenFile: string;
  readonly sessionName: string;
  /** Base URL of the token service. */
  readonly endpoint: string;
}

/** How long before their end credentials are replaced. */
const EARLY_MS = 5 * 60_000;

/** Says all that is supported, because anything else would be looked for in vain. */
const SUPPORTED =
  'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a profile with static keys, or AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN. Other ways are not supported.';

/** Keys of a profile whose credentials another program has to make. */
const UNSUPPORTED: readonly (readonly [key: string, what: string])[] = [
  ['sso_session', 'single sign-on (`sso_session`)'],
  ['sso_start_url', 'single sign-on (`sso_start_url`)'],
  ['credential_process', 'a program (`credential_process`)'],
  ['source_profile', 'another profile’s role (`source_profile`)'],
  ['credential_source', 'a service of the machine (`credential_source`)'],
];

/**
 * Chooses where credentials come from: static keys in the environment, then the profile that `AWS_PROFILE` names, then
 * a web identity, then the profile `default`. `assume` exchanges a web identity. Throws StoreError `store-credentials`.
 */
export function chooseCredentials(
  env: Environment,
  profile: FoundProfile,
  region: string,
  assume: (identity: WebIdentity, signal: AbortSignal) => Promise<BucketKeys>,
  now: () => number = Date.now,
): CredentialSource {
  const own = ownKeys(env) ?? (profile.isNamed ? profileKeys(profile) : undefined);
  if (own) return async () => own;
  const identity = webIdentity(env, profile, region);
  if (!identity) {
    const keys = profileKeys(profile);
    if (keys) return async () => keys;
    throw missing('No credentials for the bucket were found.');
  }
  let kept: BucketKeys | undefined;
  return async (signal) => {
    if (!kept || (kept.expires ?? Number.POSITIVE_INFINITY) - EARLY_MS < now()) kept = await assume(identity, signal);
    return kept;
  };
}

function ownKeys(env: Environment): BucketKeys | undefined {
  const [id, secret] = [env.AWS_ACCESS_KEY_ID?.trim(), env.AWS_SECRET_ACCESS_KEY?.trim()];
  if (!id && !secret) return undefined;
  if (!id || !secret) {
    throw missing(`${id ? 'AWS_SECRET_ACCESS_KEY' : 'AWS_ACCESS_KEY_ID'} is not set, although the other key is.`);
  }
  return checked(id, secret, env.AWS_SESSION_TOKEN?.trim() || undefined, 'the environment');
}

/** Returns undefined if the profile says nothing of credentials. */
function profileKeys({ name, values }: FoundProfile): BucketKeys | undefined {
  const [id, secret] = [values.get('aws_access_key_id'), values.get('aws_secret_access_key')];
  if (id && secret) return checked(id, secret, values.get('aws_session_token'), `the profile \`${name}\``);
  const other = UNSUPPORTED.find(([key]) => values.has(key));
  if (other) {
    throw new StoreError(
      'store-credentials',
      `The profile \`${name}\` gets its credentials from ${other[1]}, which mcp-inspect does not support.`,
      `Run \`eval "$(aws configure export-credentials --profile ${name} --format env)"\` first. ${SUPPORTED}`,
    );
  }
  if (id || secret) throw missing(`The profile \`${name}\` has only one of the two keys.`);
  return undefined;
}

function webIdentity(
  env: Environment,
  { isNamed, values, name }: FoundProfile,
  region: string,
): WebIdentity | undefined {
  const tokenFile = env.AWS_WEB_IDENTITY_TOKEN_FILE || (isNamed ? values.get('web_identity_token_file') : undefined);
  const role = env.AWS_ROLE_ARN || (isNamed ? values.get('role_arn') : undefined);
  if (!tokenFile) {
    if (isNamed) throw missing(`The profile \`${name}\` has no keys.`);
    return undefined;
  }
  if (!role) throw missing('AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is not.');
  const given = env.AWS_ENDPOINT_URL_STS || env.AWS_ENDPOINT_URL;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return {
    role,
    tokenFile,
    sessionName: sessionName(env.AWS_ROLE_SESSION_NAME),
    endpoint: given && URL.canParse(given) ? new URL(given).origin : `https://sts.${region}.${domain}`,
  };
}

/** The characters that the token service accepts. */
function sessionName(given: string | undefined): string {
  return (given ?? '').replace(/[^\w+=,.@-]/g, '-').slice(0, 64) || 'mcp-inspect';
}

/** A line break or a space in a key would be sent as another header. */
function checked(id: string, secret: string, token: string | undefined, where: string): BucketKeys {
  if (![id, secret, token ?? 'x'].every((text) => /^[!-~]+$/.test(text))) {
    throw missing(`The keys in ${where} contain a space or another character that keys don’t have.`);
  }
  return { accessKeyId: id, secretAccessKey: secret, ...(token && { sessionToken: token }) };
}

function missing(message: string): StoreError {
  return new StoreError('store-credentials', message, SUPPORTED);
}
