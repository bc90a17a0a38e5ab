import { join, resolve } from 'node:path';
import { formatBytes } from '@/lib/wire/format';
import type { Output } from '@/proxy/cli/output';
import { makeFolder, outboxFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { newFileName } from '@/proxy/recorder/file-names';
import { addToOutbox } from '@/proxy/recorder/outbox';
import type { UploadWords } from '@/proxy/recorder/upload-words';
import { drainOutbox, type UploadOutcome, withUploadLock } from './drain-outbox';
import { orderFor } from './given-order';

/** How long a subcommand waits for another process that uploads, in ms. */
const WAIT_MS = 60_000;

/** The upload of the recording of one subcommand. */
export interface CommandUpload {
  /** File to record in. */
  readonly record: string;
  /** Puts it into the outbox. Call this once it is being recorded. */
  begin(): void;
  /** Uploads it, once it has its end. Says what happened; never rejects. */
  run(out: Output, version: string): Promise<void>;
}

/** Prepares the upload. Without `record`, the recording is kept with those of the page. Throws an ExitError. */
export async function prepareUpload(words: UploadWords, record: string | undefined): Promise<CommandUpload> {
  const order = await orderFor(words);
  const recordings = ownRecordingsFolder();
  const folder = outboxFolder(recordings);
  if (record === undefined) makeFolder(recordings);
  const file = record ?? join(recordings, newFileName(new Date().toISOString(), 'command', process.pid));
  let id: string | undefined;
  return {
    record: file,
    begin() {
      id = addToOutbox(folder, resolve(file), order, true);
    },
    async run(out, version) {
      if (id === undefined) return;
      const say = (text: string): void => out.printNote('mcp-inspect', text);
      let isTried = false;
      const onOutcome = (outcome: UploadOutcome): void => {
        isTried = true;
        say(outcomeText(outcome));
      };
      const { signal } = new AbortController();
      const drained = { folder, version, status: out.status, env: process.env, only: new Set([id]), signal };
      const isDone = await withUploadLock(folder, { waitMs: WAIT_MS, isPatient: true }, () =>
        drainOutbox({ ...drained, onOutcome }),
      );
      if (!isDone) say('Another mcp-inspect is uploading, so the recording waits. `mcp-inspect recordings push` uploads it.');
      else if (!isTried) say('The recording is incomplete, so it waits. `mcp-inspect recordings push` uploads it.');
    },
  };
}

function outcomeText({ url, bytes = 0, failure }: UploadOutcome): string {
  if (!failure) return `Uploaded ${formatBytes(bytes)} to ${url}`;
  return `The recording was not uploaded. ${failure.message} ${failure.advice} It waits: \`mcp-inspect recordings push\` tries again.`;
}
