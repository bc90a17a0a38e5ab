/** The policy for sharing of the working directory. */
export const POLICY_FILE = 'share.policy.json';
export const MOST_POLICY_BYTES = 64 * 1024;

/** Options about uploads as a command line has them. */
export interface UploadWords {
  readonly to: string;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly addressing?: string | undefined;
  readonly tags: readonly string[];
  readonly author?: string | undefined;
  readonly policy?: string | undefined;
  /** Values of `--mask`. Only `strict` is known. */
  readonly mask: readonly string[];
}

/** Keys of `--s3` of a command that uploads. */
export const S3_KEYS = ['endpoint', 'region', 'addressing', 'author', 'tag'] as const;

/** Reads the options about uploads; undefined without `--to`. `values`: those of an option, in their order. */
export function readUploadWords(values: (name: string) => readonly string[] | undefined): UploadWords | undefined {
  const [to, endpoint, region, addressing, author, policy] = (
    ['to', 's3.endpoint', 's3.region', 's3.addressing', 's3.author', 'policy'] as const
  ).map((name) => values(name)?.at(-1));
  if (to === undefined) return undefined;
  return { to, endpoint, region, addressing, author, policy, mask: values('mask') ?? [], tags: values('s3.tag') ?? [] };
}
