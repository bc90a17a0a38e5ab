import { choiceOf } from '@/proxy/cli/choice';
import { lastValue, type ParsedOptions } from '@/proxy/cli/grammar';
import type { AddressOptions } from './bucket/s3-address';

/** Reads the options that complete the address of a bucket. Throws an ExitError. */
export function readBucketOptions(given: ParsedOptions): AddressOptions {
  const style = lastValue(given, 's3.addressing');
  return {
    endpoint: lastValue(given, 's3.endpoint'),
    region: lastValue(given, 's3.region'),
    style: style === undefined ? undefined : choiceOf('--s3 addressing=', style, ['path', 'host']),
  };
}
