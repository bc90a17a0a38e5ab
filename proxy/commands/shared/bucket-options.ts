import type { AddressOptions } from '@/proxy/bucket/s3-address';
import { usageError } from '@/proxy/cli/exit-code';
import { type GivenOptions, lastValue } from '@/proxy/cli/grammar';

/** Reads the options that complete the address of a bucket. Throws an ExitError. */
export function readBucketOptions(given: GivenOptions): AddressOptions {
  const style = lastValue(given, 's3.addressing');
  if (style !== undefined && style !== 'path' && style !== 'host') {
    throw usageError(`\`--s3 addressing=${style}\` is unknown: write path or host.`);
  }
  return { endpoint: lastValue(given, 's3.endpoint'), region: lastValue(given, 's3.region'), style };
}
