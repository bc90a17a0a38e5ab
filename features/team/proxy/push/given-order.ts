import { resolve } from 'node:path';
import type { UploadWords } from '@/features/recording-store';
import { makeOrder } from '@/features/team/proxy/bucket/upload-order';
import { isFailure } from '@/lib/wire/lifecycle';
import { usageError } from '@/proxy/cli/exit-code';
import { readPolicy } from '@/proxy/commands/share/share-policy';
import type { UploadOrder } from '@/proxy/recorder/outbox';

/** Makes the order for the options of a command line. Throws an ExitError for those that can’t be used. */
export async function orderFor(words: UploadWords): Promise<UploadOrder> {
  try {
    // Says now what is wrong with the policy, and asks about it.
    await readPolicy(words.policy);
    return await makeOrder(words, process.env, process.cwd());
  } catch (error) {
    throw isFailure(error) ? usageError(`${error.message} ${error.advice}`) : error;
  }
}

/**
 * Returns the options of a tap that a host starts, in any folder and without the variables of this shell: the bucket is
 * the one that is meant here, and the policy has its whole path. Throws an ExitError.
 */
export async function tapOptionsFor(words: UploadWords): Promise<readonly string[]> {
  const { to, endpoint, region, style, policy, isStrict, tags } = await orderFor(words);
  // In the host’s config it counts as named, whatever it will say then.
  if (policy && words.policy === undefined)
    throw usageError(
      `A host starts the tap in any folder, where \`${policy.file}\` is not looked up: add \`--policy ${policy.file}\` if it counts there.`,
    );
  const values: readonly (readonly [name: string, value: string | undefined])[] = [
    ...([
      ['to', to],
      ['s3=endpoint', endpoint],
      ['s3=region', region],
      ['s3=addressing', style],
    ] as const),
    ...tags.map((tag) => ['s3=tag', tag] as const),
    ...([
      ['s3=author', words.author],
      ['policy', policy && resolve(policy.file)],
    ] as const),
  ];
  const options = values.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  return isStrict ? [...options, '--mask=strict'] : options;
}
