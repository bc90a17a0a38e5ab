import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';

/**
 * Members of a provider's metadata that it wants back. The text of a signature is one JSON object per provider, so that
 * no provider gets another one's.
 */
const WANTED = ['signature', 'redactedData', 'itemId', 'reasoningEncryptedContent', 'thoughtSignature'];

type Wanted = Record<string, string>;

/** Returns the opaque token that the provider needs back with this part, if any. */
export function signatureOf(metadata: SharedV3ProviderMetadata | undefined, options: string): string | undefined {
  const own = wantedOf(metadata?.[options]);
  return own && JSON.stringify({ [options]: own });
}

/** Reads what {@link signatureOf} made for this provider. undefined if there is nothing, or another text. */
export function readSignature(signature: string, options: string): Wanted | undefined {
  try {
    const read: unknown = JSON.parse(signature);
    return wantedOf(Object(read)[options]);
  } catch {
    return undefined;
  }
}

function wantedOf(metadata: unknown): Wanted | undefined {
  const members = Object.entries(Object(metadata) as object);
  const wanted = members.filter(([name, value]) => WANTED.includes(name) && typeof value === 'string');
  return wanted.length > 0 ? (Object.fromEntries(wanted) as Wanted) : undefined;
}
