import { isRecord } from '@/lib/schema/document';

/** Names whose values are not kept in the tab's storage. */
const SECRET =
  /(?:password|passwd|pwd|passphrase|secret|token|(?:api|access|auth|encryption|private|secret|signing|ssh)[-_ ]?key|credentials?|authorization|bearer|cookie|jwt|connection[-_]?string)$/i;

/** True for a name of something secret, by the looks of it. */
export function looksSecret(name: string): boolean {
  return SECRET.test(name);
}

/** A copy of a document without the values whose names look secret. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !SECRET.test(name))
      .map(([name, inner]) => [name, withoutSecrets(inner)]),
  );
}

/** True if any name in the document looks secret. */
export function hasSecrets(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecrets);
  return isRecord(value) && Object.entries(value).some(([name, inner]) => SECRET.test(name) || hasSecrets(inner));
}
