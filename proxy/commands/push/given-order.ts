import { isFailure } from '@/lib/wire/lifecycle';
import { makeOrder, type UploadChoices } from '@/proxy/bucket/upload-order';
import { usageError } from '@/proxy/cli/exit-code';
import { type GivenOptions, lastValue } from '@/proxy/cli/grammar';
import type { UploadOrder } from '@/proxy/recorder/outbox';
import { parsePolicy, readPolicyText } from '../share/share-policy';

/** Most tags of a recording. */
const MOST_TAGS = 20;
const STYLES = ['path', 'host'] as const;

/** Reads the options of uploads, with the policy. `given` has `to`. Throws an ExitError. */
export async function readUploadChoices(given: GivenOptions): Promise<UploadChoices> {
  const addressing = lastValue(given, 'addressing');
  const style = STYLES.find((known) => known === addressing);
  if (addressing !== undefined && !style) {
    throw usageError(`\`--addressing ${addressing.slice(0, 60)}\` is invalid: choose from ${STYLES.join(', ')}.`);
  }
  const tags = given.get('tag') ?? [];
  if (tags.length > MOST_TAGS) throw usageError(`A recording has at most ${MOST_TAGS} tags: remove some \`--tag\`.`);
  const policy = await readPolicyText(lastValue(given, 'policy'));
  if (policy) parsePolicy(policy);
  return {
    ...{ to: lastValue(given, 'to') ?? '', tags, isStrict: given.has('strict'), policy, style },
    ...{
      endpoint: lastValue(given, 'endpoint'),
      region: lastValue(given, 'region'),
      author: lastValue(given, 'author'),
    },
  };
}

/** Makes the order for these choices. Throws an ExitError for a wrong address. */
export async function orderFor(choices: UploadChoices, env: Readonly<NodeJS.ProcessEnv>): Promise<UploadOrder> {
  try {
    return await makeOrder(choices, env, process.cwd());
  } catch (error) {
    throw isFailure(error) ? usageError(`${error.message} ${error.advice}`) : error;
  }
}
