import { resolve } from 'node:path';
import { isS3Url } from '@/features/team/proxy/bucket/s3-address';
import { storeCancelled } from '@/features/team/proxy/bucket/store-error';
import { countOf, formatBytes } from '@/lib/wire/format';
import { EXIT, type ExitCode, ExitError, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { outboxFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { addToOutbox, readOutbox, removeEntry } from '@/proxy/recorder/outbox';
import { type DrainOptions, drainOutbox, type UploadOutcome, withUploadLock } from './drain-outbox';
import { orderFor } from './given-order';
import { readUploadWords } from './upload-words';

/** How long to wait for another process that uploads, in ms. */
const WAIT_MS = 10 * 60_000;

const HOW_TO_LOOK = '`mcp-inspect recordings outbox` shows why, and how to give up.';

/** Uploads recordings to a bucket, or what waits to be uploaded. */
export const run: RunCommand = async (context) => {
  const { request, printNote } = context;
  const { words, given } = request;
  const folder = outboxFolder(ownRecordingsFolder());
  if (words.length === 0) return drainAll(folder, context);
  const to = words.at(-1)!;
  const files = words.slice(0, -1);
  if (!isS3Url(to) || files.length === 0 || files.some(isS3Url)) {
    throw usageError(
      '`recordings push` needs files and then a bucket: write `mcp-inspect recordings push a.mcpr.jsonl s3://BUCKET/PREFIX`.',
    );
  }
  const order = await orderFor(readUploadWords((name) => (name === 'to' ? [to] : given.get(name)))!);
  const cancelled = new AbortController();
  const cancel = (): void => cancelled.abort();
  process.once('SIGINT', cancel);
  const ids = new Set(files.map((file) => addToOutbox(folder, resolve(file), order, false)));
  const over = new Set(ids);
  try {
    return await drain(folder, context, {
      signal: cancelled.signal,
      only: ids,
      onFailure: (id) => void over.delete(id),
    });
  } catch (error) {
    if (!cancelled.signal.aborted) throw error;
    printNote('Cancelled. Nothing of the unfinished recording is visible in the bucket.');
    return EXIT.interrupted;
  } finally {
    process.off('SIGINT', cancel);
    for (const id of over) await removeEntry(folder, id);
    if (over.size < ids.size) {
      printNote(
        `${countOf(ids.size - over.size, 'recording')} kept in the outbox: \`mcp-inspect recordings push\` goes on. ${HOW_TO_LOOK}`,
      );
    }
  }
};

async function drainAll(folder: string, context: CommandContext): Promise<ExitCode> {
  const { given } = context.request;
  const isQuiet = given.has('quiet');
  if (readOutbox(folder).length === 0) {
    if (!isQuiet) context.printNote('Nothing waits to be uploaded.');
    return EXIT.fine;
  }
  const code = await drain(folder, isQuiet ? silent(context) : context, {
    signal: new AbortController().signal,
    retriesRefused: !isQuiet,
  });
  const left = readOutbox(folder).length;
  if (!isQuiet && left > 0)
    context.printNote(`${countOf(left, 'recording')} still waiting in ${folder}. ${HOW_TO_LOOK}`);
  return code;
}

interface Draining extends Pick<DrainOptions, 'signal' | 'only' | 'retriesRefused'> {
  /** Called with the id of an entry that may succeed later. */
  onFailure?(id: string): void;
}

/** Uploads, and prints a line for each recording. Throws an ExitError if another process uploads for too long. */
async function drain(folder: string, context: CommandContext, draining: Draining): Promise<ExitCode> {
  const { version, status, request } = context;
  const [json, isQuiet] = [request.given.has('json'), request.given.has('quiet')];
  let code: ExitCode = EXIT.fine;
  const onOutcome = (outcome: UploadOutcome): void => {
    const { failure } = outcome;
    if (failure) code = failure.code === 'upload-refused' ? EXIT.serverError : EXIT.noConnection;
    if (failure?.isPassing) draining.onFailure?.(outcome.id);
    if (json) context.printText(outcomeJson(outcome));
    else printOutcome(outcome, context);
  };
  const isDone = await withUploadLock(folder, { waitMs: WAIT_MS, isPatient: !isQuiet, signal: draining.signal }, () =>
    drainOutbox({ folder, version, status, env: process.env, ...draining, onOutcome }),
  );
  if (draining.signal.aborted) throw storeCancelled();
  if (isDone || isQuiet) return code;
  throw new ExitError(EXIT.timeout, 'Another mcp-inspect is uploading. Wait until it is done, then push again.');
}

function outcomeJson({ recording, url, sha256, bytes, written, masked, left, failure }: UploadOutcome): string {
  return terminalJson({
    recording,
    url,
    sha256,
    bytes,
    masked,
    possible: left,
    ...(failure ? { error: failure.code, message: failure.message } : { existed: written === 'existed' }),
  });
}

function printOutcome(outcome: UploadOutcome, { printText, printNote }: CommandContext): void {
  const { recording, url, bytes = 0, written, masked = 0, left = 0, failure } = outcome;
  if (failure) {
    printNote(`\`${recording}\` was not uploaded. ${failure.message} ${failure.advice}`);
    return;
  }
  printText(url!);
  const size = formatBytes(bytes);
  printNote(written === 'existed' ? `${size}, which were there already.` : `${size} uploaded.`);
  if (masked > 0) printNote(`${countOf(masked, 'place')} masked.`);
  if (left > 0) printNote(`${countOf(left, 'possible secret')} kept; \`mcp-inspect share FILE --review\` lists them.`);
}

function silent(context: CommandContext): CommandContext {
  const nothing = (): void => {};
  return {
    ...context,
    printText: nothing,
    printNote: nothing,
    printLines: nothing,
    status: { show: nothing, end: nothing },
  };
}
