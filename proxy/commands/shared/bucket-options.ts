import type { AddressOptions } from '@/proxy/bucket/s3-address';
import { usageError } from '@/proxy/cli/exit-code';
import { type GivenOptions, lastValue } from '@/proxy/cli/grammar';

/** Reads the options that complete the address of a bucket. Throws an ExitError. */
export function readBucketOptions(given: GivenOptions): AddressOptions {
  const style = lastValue(given, 'addressing');
  if (style !== undefined && style !== 'path' && style !== 'host') {
    throw usageError(`\`--addressing ${style}\` is unknown: write path or host.`);
  }
  return { endpoint: lastValue(given, 'endpoint'), region: lastValue(given, 'region'), style };
}
