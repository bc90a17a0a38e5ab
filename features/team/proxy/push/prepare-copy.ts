import { createHmac } from 'node:crypto';
import { withIndexes } from '@/features/team/proxy/bucket/indexed-copy';
import { dayOf } from '@/features/team/proxy/bucket/keys';
import { StoreError } from '@/features/team/proxy/bucket/store-error';
import { summariseRecording } from '@/features/team/proxy/summaries/summarise-recording';
import { Placeholders } from '@/lib/redact/placeholders';
import { countOf } from '@/lib/wire/format';
import type { CommandContext } from '@/proxy/cli/grammar';
import { automaticCopy } from '@/proxy/commands/share/automatic-copy';
import { orderedPolicy } from '@/proxy/commands/share/share-policy';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { deleteIfThere, renameFile } from '@/proxy/files/existing-files';
import { writeNewFile } from '@/proxy/files/private-files';
import { openFile } from '@/proxy/recorder/open-file';
import { type OutboxEntry, outboxSecret, type PreparedCopy, type WaitingUpload } from '@/proxy/recorder/outbox';

/** A copy that was made. */
export interface MadeCopy {
  readonly prepared: PreparedCopy;
  readonly masked: number;
  /** See `AutomaticCopy`. */
  readonly left: number;
}

/**
 * Writes what `share` writes of a recording into the outbox, with indexes and its summary. Throws a StoreError
 * `upload-refused` if a person has to decide, and an ExitError for a file that can’t be opened.
 */
export async function prepareCopy(
  folder: string,
  { entry, copy, summary }: Pick<WaitingUpload, 'entry' | 'copy' | 'summary'>,
  options: Pick<CommandContext, 'version' | 'status'> & { readonly signal: AbortSignal },
): Promise<MadeCopy> {
  const { recording, order } = entry;
  const sharing = { ...options, placeholders: saltFor(folder, entry), where: 'after `recordings push`' };
  const made = await automaticCopy(recording, order.policy && orderedPolicy(order.policy), sharing);
  try {
    if (order.isStrict && made.left > 0) {
      throw new StoreError(
        'upload-refused',
        `${countOf(made.left, 'possible secret')} left in \`${recording}\`, so it was not uploaded.`,
        'Look with `mcp-inspect share FILE --review`, decide in share.policy.json, then push it again.',
      );
    }
    const part = `${copy}.part`;
    await deleteIfThere(part);
    await writeNewFile(part, withIndexes(part, made.write()));
    const { tags, author, commit, ci } = order;
    const facts = { within: runWithin, tags, ...(author !== undefined && { author }), ...(ci && { ci }) };
    const about = await summariseRecording(await openFile(part), { ...facts, ...(commit !== undefined && { commit }) });
    await deleteIfThere(summary);
    await writeNewFile(summary, [Buffer.from(JSON.stringify(about))]);
    await renameFile(part, copy);
    const { sha256, bytes, at } = about;
    return { prepared: { sha256, bytes, day: dayOf(at), by: options.version }, masked: made.masked(), left: made.left };
  } finally {
    await made.close();
  }
}

/** The same recording gets the same placeholders, and so the same copy and the same key. */
function saltFor(folder: string, { recording }: OutboxEntry): Placeholders {
  return new Placeholders(createHmac('sha256', outboxSecret(folder)).update(recording).digest());
}
