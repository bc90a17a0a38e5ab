import { systemClock } from '@/lib/wire/clock';
import { Egress } from '@/proxy/egress/egress';
import { chooseCredentials } from './credentials';
import type { ObjectStore } from './object-store';
import { readAwsProfile } from './profile-files';
import { type AddressOptions, readS3Address, type S3Address } from './s3-address';
import { S3Store } from './s3-store';
import { assumeRole } from './web-identity';

export interface OpenStoreOptions extends AddressOptions {
  /** For `User-Agent`. */
  readonly version: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/** Opens the store at an `s3://` URL. Sends nothing yet. Rejects with a StoreError: a wrong address, missing keys. */
export async function openStore(
  url: string,
  { version, env, ...options }: OpenStoreOptions,
): Promise<{ readonly store: ObjectStore; readonly address: S3Address }> {
  const profile = await readAwsProfile(env);
  const [region, endpoint] = [profile.values.get('region'), profile.values.get('endpoint_url')];
  const address = readS3Address(url, options, env, { ...(region && { region }), ...(endpoint && { endpoint }) });
  // The token service is another server, whose address says nothing of the store's.
  const egress = () => new Egress({ clock: systemClock, version, allowLocal: false, environment: env });
  const sender = egress();
  const credentials = chooseCredentials(env, profile, address.region, async (identity, signal) => {
    const tokens = egress();
    try {
      return await assumeRole(identity, tokens, signal);
    } finally {
      tokens.close();
    }
  });
  return { store: new S3Store({ address, credentials, sender, clock: systemClock }), address };
}
