import { join, resolve } from 'node:path';
import type { CommandUpload, UploadWords } from '@/features/recording-store';
import { githubWarning } from '@/lib/ci/github';
import { formatBytes } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { makeFolder, outboxFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { newFileName } from '@/proxy/recorder/file-names';
import { addToOutbox } from '@/proxy/recorder/outbox';
import { drainOutbox, type UploadOutcome, withUploadLock } from './drain-outbox';
import { orderFor } from './given-order';

/** How long a subcommand waits for another process that uploads, in ms. */
const WAIT_MS = 60_000;

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
      if (id === undefined) return false;
      let outcome: UploadOutcome | undefined;
      const onOutcome = (ended: UploadOutcome): void => {
        outcome = ended;
      };
      const { signal } = new AbortController();
      const drained = { folder, version, status: out.status, env: process.env, only: new Set([id]), signal };
      const isDone = await withUploadLock(folder, { waitMs: WAIT_MS, isPatient: true }, () =>
        drainOutbox({ ...drained, onOutcome }),
      );
      if (outcome && !outcome.failure) {
        out.printNote('mcp-inspect', `Uploaded ${formatBytes(outcome.bytes ?? 0)} to ${outcome.url}`);
        return true;
      }
      sayLost(isDone ? outcome?.failure : ANOTHER_UPLOADS, process.env, (text) => out.printNote('mcp-inspect', text));
      return false;
    },
  };
}

const ANOTHER_UPLOADS = { message: 'Another mcp-inspect is uploading.', advice: '' };
const INCOMPLETE = { message: 'It is incomplete.', advice: '' };

/**
 * Says that a recording is not in the bucket, and why. In CI, the outbox goes with the runner, and an annotation shows
 * it.
 */
export function sayLost(
  { message, advice }: Pick<Failure, 'message' | 'advice'> = INCOMPLETE,
  { CI, GITHUB_ACTIONS }: Readonly<NodeJS.ProcessEnv>,
  say: (text: string) => void,
): void {
  const next = CI
    ? 'It waits in the outbox, which goes with this runner. `--require-upload` makes this exit code 3.'
    : 'It waits in the outbox: `mcp-inspect recordings push` tries again.';
  const text = ['The recording was not uploaded.', message, advice, next].filter(Boolean).join(' ');
  if (GITHUB_ACTIONS === 'true') process.stderr.write(`${githubWarning(text)}\n`);
  else say(text);
}
