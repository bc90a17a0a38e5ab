import { resolve } from 'node:path';
import { parseBounded } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { usageError } from '@/proxy/cli/exit-code';
import { plainText } from '@/proxy/cli/plain-text';
import { foundFile } from '@/proxy/files/decisions';
import { repositoryRoot } from '@/proxy/files/repository-folders';
import { readNamedFile } from '@/proxy/files/user-files';
import type { PolicyOrder } from '@/proxy/recorder/outbox';
import { mayUse } from '../shared/consent';
import { MOST_POLICY_BYTES, POLICY_FILE } from './policy-file';

/** An argument of `--mask` and `--keep`, except a row, or all findings at a place, in the words of the review. */
export type PolicyEntry = string | { readonly at: string };

/** Decisions for all recordings of a project. */
export interface SharePolicy {
  /** Name of the file, for people. */
  readonly file: string;
  readonly mask: readonly PolicyEntry[];
  readonly keep: readonly PolicyEntry[];
}

/** A policy as it is in its file, whose name is for people. */
interface PolicyText {
  readonly file: string;
  readonly text: string;
}

/** Most entries of each list. */
const MOST_ENTRIES = 50;

/**
 * Reads `share.policy.json` in the working directory, or the file of `--policy`. Returns undefined if there is none. A
 * file that nobody named keeps values only if a person agrees. Throws an ExitError for an invalid file, because it
 * would decide otherwise than its author meant.
 */
export async function readPolicy(named: string | undefined): Promise<SharePolicy | undefined> {
  const found = await readPolicyText(named);
  if (!found) return undefined;
  const policy = parsePolicy(found);
  if (named !== undefined || policy.keep.length === 0) return policy;
  const shown = policy.keep.map((entry) => plainText(typeof entry === 'string' ? entry : `at ${entry.at}`));
  return (await mayUse('kept-values', foundFile(resolve(found.file), found.text), shown))
    ? policy
    : maskingOnly(policy);
}

/** Returns a policy without what it keeps. */
function maskingOnly(policy: SharePolicy): SharePolicy {
  return { ...policy, keep: [] };
}

/** Reads the text of the policy as {@link readPolicy} does. Throws an ExitError for a file that can’t be read. */
async function readPolicyText(named: string | undefined): Promise<PolicyText | undefined> {
  const file = named ?? POLICY_FILE;
  const { text, wrong } = await readNamedFile(resolve(file), {
    most: MOST_POLICY_BYTES,
    within: named === undefined ? repositoryRoot(process.cwd()) : undefined,
  });
  if (text !== undefined) return { file, text };
  if (wrong === undefined && named === undefined) return undefined;
  if (wrong === undefined) throw usageError(`\`${file}\` was not found. Check the path after \`--policy\`.`);
  throw usageError(`\`${file}\` can’t be used as a policy. ${wrong}`);
}

/** Parses the policy of an upload, which may keep values if it was named or agreed to. Throws an ExitError. */
export function orderedPolicy(ordered: PolicyOrder): SharePolicy {
  const policy = parsePolicy(ordered);
  return ordered.mayKeep ? policy : maskingOnly(policy);
}

/** Parses a policy. Throws an ExitError. */
function parsePolicy({ file, text }: PolicyText): SharePolicy {
  const policy = parsed(text.replace(/^\ufeff/, ''));
  if (!isObject(policy)) throw refused(file, 'it is not a JSON object');
  for (const key of Object.keys(policy)) {
    if (key !== 'mask' && key !== 'keep' && !key.startsWith('$'))
      throw refused(file, `it has the unknown member \`${key}\``);
  }
  const listOf = (key: 'mask' | 'keep'): readonly PolicyEntry[] => {
    const list: unknown = own(policy, key) ?? [];
    if (!Array.isArray(list) || !list.every(isEntry))
      throw refused(file, `\`${key}\` is not a list of texts and places such as \`{"at": "result.id"}\``);
    if (list.length > MOST_ENTRIES) throw refused(file, `\`${key}\` has more than ${MOST_ENTRIES} entries`);
    return list;
  };
  return { file, mask: listOf('mask'), keep: listOf('keep') };
}

function isEntry(value: unknown): value is PolicyEntry {
  if (typeof value === 'string') return true;
  return isObject(value) && Object.keys(value).length === 1 && typeof own(value, 'at') === 'string';
}

/** Returns undefined for text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined;
  }
}

function refused(file: string, why: string): Error {
  return usageError(
    `\`${file}\` can’t be used as a policy: ${why}. Write \`{"mask": ["random"], "keep": ["email", "/regex/"]}\`.`,
  );
}
