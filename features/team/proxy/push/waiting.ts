import { countOf } from '@/lib/wire/format';
import { EXIT, type ExitCode, ExitError, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import { plainText } from '@/proxy/cli/plain-text';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { outboxFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { isOver, type OutboxEntry, readOutbox, removeEntry } from '@/proxy/recorder/outbox';
import { withUploadLock } from './drain-outbox';

/** How long to wait for another process that uploads before an entry is dropped, in ms. */
const WAIT_MS = 10_000;

/** Lists what waits in the outbox, or gives up some of it: `recordings outbox drop ID…`. */
export const run: RunCommand = async (context) => {
  const folder = outboxFolder(ownRecordingsFolder());
  const [verb, ...ids] = context.request.words;
  if (verb === undefined) return listWaiting(folder, context);
  if (verb === 'drop' && ids.length > 0) return dropWaiting(folder, ids, context);
  throw usageError(
    '`recordings outbox` needs nothing, or `drop` and ids: write `mcp-inspect recordings outbox drop ID`.',
  );
};

/** Returns what waits in the outbox, where to, and why. */
function readWaiting(folder: string) {
  return readOutbox(folder).map(({ id, entry }) => ({
    id,
    recording: entry.recording,
    to: entry.order.to,
    endpoint: entry.order.endpoint,
    why: whyOf(entry),
  }));
}

function listWaiting(folder: string, { request, printText, printNote }: CommandContext): ExitCode {
  const waiting = readWaiting(folder);
  if (request.given.has('json')) printText(terminalJson(waiting));
  else if (waiting.length === 0) printNote('Nothing waits to be uploaded.');
  else {
    for (const { id, recording, to, endpoint, why } of waiting) {
      const at = endpoint === undefined ? '' : ` at ${endpoint}`;
      printText(plainText(`${id}\n  ${recording}\n  to ${to}${at}\n  ${why}`));
    }
    printNote(
      '`mcp-inspect recordings push` tries again. `mcp-inspect recordings outbox drop ID` gives one up, `drop all` all of them.',
    );
  }
  return EXIT.fine;
}

function whyOf(entry: OutboxEntry): string {
  const { failure } = entry;
  if (failure) return `${failure.message} ${failure.advice}`;
  return isOver(entry) ? 'Not tried yet.' : 'It is being recorded.';
}

/** Removes entries from the outbox, and prints them. The recordings stay. Throws an ExitError. */
async function dropWaiting(
  folder: string,
  wanted: readonly string[],
  { request, printText, printNote }: CommandContext,
): Promise<ExitCode> {
  const waiting = readWaiting(folder);
  const ids = waiting.map(({ id }) => id);
  const unknown = wanted.find((id) => id !== 'all' && !ids.includes(id));
  if (unknown !== undefined)
    throw usageError(`\`${unknown}\` does not wait to be uploaded. \`mcp-inspect recordings outbox\` shows the ids.`);
  const dropped = wanted.includes('all') ? ids : [...new Set(wanted)];
  // An upload that is running would write its entry again.
  const isDone = await withUploadLock(folder, { waitMs: WAIT_MS, isPatient: true }, async () => {
    for (const id of dropped) await removeEntry(folder, id);
  });
  if (!isDone) throw new ExitError(EXIT.timeout, 'Another mcp-inspect is uploading. Wait until it is done.');
  if (request.given.has('json')) printText(terminalJson(waiting.filter(({ id }) => dropped.includes(id))));
  const [count, verb] = [countOf(dropped.length, 'recording'), dropped.length === 1 ? 'is' : 'are'];
  printNote(`${count} ${verb} no longer to be uploaded. Nothing that was recorded is deleted.`);
  return EXIT.fine;
}
