import { isObject, own } from '@/lib/json/value';
import { isFailure } from '@/lib/wire/lifecycle';
import { ownRecordingsFolder } from './data-folder';
import { sha256Of } from './native-codecs';
import { SharedFile } from './shared-file';

/** Bytes of the file of decisions, and most decisions in it. The oldest are dropped. */
const DECISIONS_BYTES = 1024 * 1024;
const MOST_DECISIONS = 1000;

/** A file that nobody named, but that was found where a command ran. */
export interface FoundFile {
  readonly path: string;
  /** Digest of path and content. */
  readonly digest: string;
}

/** Describes a found file by its content, on which a person decides. */
export function foundFile(path: string, text: string): FoundFile {
  return { path, digest: sha256Of(Buffer.from(`${path}\n${text}`)) };
}

/** The uses of a found file for which a person has to agree to its content. */
export type NeedsConsent = 'servers' | 'settings' | 'kept-values' | 'calls';

/** Decisions of a person about found files, each for one content and one use of it. */
export interface DecisionStore {
  /** Resolves with undefined if nobody has decided, or the decisions can’t be read. */
  read(file: FoundFile, use: NeedsConsent): Promise<boolean | undefined>;
  keep(file: FoundFile, use: NeedsConsent, decision: boolean): Promise<void>;
}

/** Returns the decisions that every mcp-inspect of this user shares. `folder`: of recordings. */
export function keptDecisions(folder = ownRecordingsFolder()): DecisionStore {
  const file = new SharedFile({
    folder,
    name: 'project-configs.json',
    code: 'project-configs',
    what: 'decisions about project configs',
    mostBytes: DECISIONS_BYTES,
  });
  const decisionsIn = (content: unknown): readonly (readonly [string, boolean])[] => {
    const kept = isObject(content) ? own(content, 'decisions') : undefined;
    if (!isObject(kept)) return [];
    return Object.entries(kept).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean');
  };
  return {
    async read(found, use) {
      // Without the file, the person is asked.
      const content = await file.read().catch(() => undefined);
      return new Map(decisionsIn(content)).get(keyOf(found, use));
    },
    async keep(found, use, decision) {
      const key = keyOf(found, use);
      await file.change((before) => {
        const others = decisionsIn(before).filter(([known]) => known !== key);
        const decisions = [...others, [key, decision] as const].slice(-MOST_DECISIONS);
        return { content: { decisions: Object.fromEntries(decisions) }, result: undefined };
      });
    },
  };
}

/** Keeps that a person agreed to a file. Where nothing can be kept, the person is asked again. */
export async function keepAgreement(
  file: FoundFile,
  use: NeedsConsent,
  store: DecisionStore = keptDecisions(),
): Promise<void> {
  if ((await store.read(file, use)) === true) return;
  await store.keep(file, use, true).catch((error: unknown) => {
    if (!isFailure(error)) throw error;
  });
}

/** Takes over a decision for content that mcp-inspect wrote instead of other content, or of none. */
export async function decideForWritten(
  use: NeedsConsent,
  path: string,
  { before, after }: { readonly before: string | undefined; readonly after: string },
  store: DecisionStore = keptDecisions(),
): Promise<void> {
  if (before !== undefined && (await store.read(foundFile(path, before), use)) !== true) return;
  await keepAgreement(foundFile(path, after), use, store);
}

function keyOf({ digest }: FoundFile, use: NeedsConsent): string {
  return `${use} ${digest}`;
}
