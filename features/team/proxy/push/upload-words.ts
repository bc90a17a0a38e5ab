import type { OptionValues, UploadWords } from '@/features/recording-store';

/** Reads the options about uploads; undefined without `--to`. */
export function readUploadWords(values: OptionValues): UploadWords | undefined {
  const [to, endpoint, region, addressing, author, policy] = (
    ['to', 's3.endpoint', 's3.region', 's3.addressing', 's3.author', 'policy'] as const
  ).map((name) => values(name)?.at(-1));
  if (to === undefined) return undefined;
  return { to, endpoint, region, addressing, author, policy, mask: values('mask') ?? [], tags: values('s3.tag') ?? [] };
}
