import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { recordingKey } from '@/features/team/proxy/bucket/keys';
import type { ObjectStore, Written } from '@/features/team/proxy/bucket/object-store';
import { openStore } from '@/features/team/proxy/bucket/open-store';
import { s3Url } from '@/features/team/proxy/bucket/s3-address';
import { StoreError, storeCancelled } from '@/features/team/proxy/bucket/store-error';
import { uploadRecording } from '@/features/team/proxy/bucket/upload';
import { isFailure } from '@/lib/wire/lifecycle';
import { ExitError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { FileLock } from '@/proxy/files/file-lock';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { readNamedFileNow } from '@/proxy/files/user-files';
import { openFile } from '@/proxy/recorder/open-file';
import {
  isOver,
  type OutboxEntry,
  type PreparedCopy,
  readOutbox,
  removeEntry,
  saveEntry,
  type WaitingUpload,
} from '@/proxy/recorder/outbox';
import { type MadeCopy, prepareCopy } from './prepare-copy';

/** The end of an attempt to upload a recording. */
export interface UploadOutcome {
  /** Id of the entry. */
  readonly id: string;
  readonly recording: string;
  /** Address of the recording in the bucket, once its copy was made. */
  readonly url?: string;
  readonly sha256?: string;
  readonly bytes?: number;
  /** Absent if it failed. */
  readonly written?: Written;
  /** Known only to the process that made the copy. */
  readonly masked?: number;
  readonly left?: number;
  readonly failure?: StoreError;
}

export interface DrainOptions extends Pick<CommandContext, 'version' | 'status'> {
  /** Folder of the outbox. */
  readonly folder: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Ids of the entries. Absent: all whose recordings have ended. */
  readonly only?: ReadonlySet<string>;
  /** Tries those again that a person had to decide on. */
  readonly retriesRefused?: boolean;
  readonly signal: AbortSignal;
  onOutcome(outcome: UploadOutcome): void;
}

/** Most bytes of a summary in the outbox. */
const SUMMARY_BYTES = 64 * 1024;

/** How long a cancelled upload may take to delete its parts, in ms. */
const ABANDON_MS = 3000;

interface LockOptions {
  readonly waitMs: number;
  readonly isPatient: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Uploads what waits. One process at a time does this: a second one waits, and a third leaves it to the second, which
 * looks again once the first is done. Resolves with false if it was not its turn within `waitMs`, or before `signal`.
 * `isPatient`: the third one waits too.
 */
export async function withUploadLock(
  folder: string,
  { waitMs, isPatient, signal }: LockOptions,
  run: () => Promise<void>,
): Promise<boolean> {
  const next = await FileLock.acquire(join(folder, 'next'), isPatient ? waitMs : 0, signal);
  if (!next) return false;
  let lock: FileLock | undefined;
  try {
    lock = await FileLock.acquire(join(folder, 'uploads'), waitMs, signal);
  } finally {
    await next.release();
  }
  if (!lock) return false;
  try {
    await run();
  } finally {
    await lock.release();
  }
  return true;
}

/** Uploads the entries of the outbox, oldest first. Rejects only with `store-cancelled`. */
export async function drainOutbox(options: DrainOptions): Promise<void> {
  const { folder, only, retriesRefused, signal, onOutcome } = options;
  const seen = new Set<string>();
  /** Buckets that don’t work: what else waits for them would only fill the disk with copies. */
  const broken = new Set<string>();
  for (;;) {
    // Others may be added meanwhile.
    const due = readOutbox(folder).filter(
      ({ id, entry }) => !seen.has(id) && (only?.has(id) ?? true) && (retriesRefused || !entry.isRefused),
    );
    const over = due.filter(({ entry }) => isOver(entry));
    if (over.length === 0) return;
    for (const next of over) {
      seen.add(next.id);
      const { recording, writer } = next.entry;
      if (writer && !existsSync(recording) && !existsSync(next.copy)) {
        // A connection without traffic leaves no recording. Or somebody deleted it.
        await removeEntry(folder, next.id);
        continue;
      }
      if (broken.has(targetOf(next.entry))) continue;
      const outcome = await upload(next, options);
      if (signal.aborted) throw storeCancelled();
      onOutcome(outcome);
      const { failure } = outcome;
      if (failure && failure.code !== 'upload-refused') broken.add(targetOf(next.entry));
    }
  }
}

function targetOf({ order: { to, endpoint, region } }: OutboxEntry): string {
  return [to, endpoint, region].join(' ');
}

async function upload(waiting: WaitingUpload, options: DrainOptions): Promise<UploadOutcome> {
  const { folder, version, env, status, signal } = options;
  const { id, copy, summary } = waiting;
  let { entry } = waiting;
  const { recording, order } = entry;
  const save = (more: Partial<OutboxEntry>): void => {
    entry = { ...entry, ...more };
    saveEntry(folder, id, entry);
  };
  let store: ObjectStore | undefined;
  let outcome: UploadOutcome = { id, recording };
  try {
    const { to, profile, ...address } = order;
    const opened = await openStore(to, {
      version,
      endpoint: address.endpoint,
      region: address.region,
      style: address.style,
      env: profile === undefined ? env : { ...env, AWS_PROFILE: profile },
    });
    store = opened.store;
    let made: MadeCopy | undefined;
    if (entry.prepared?.by !== version || !(await isWhole(copy, summary, entry.prepared))) {
      made = await prepareCopy(folder, waiting, { version, status, signal });
      signal.throwIfAborted();
      save({ prepared: made.prepared, upload: undefined });
    }
    const prepared = entry.prepared!;
    const { sha256, bytes } = prepared;
    outcome = { id, recording, url: s3Url(opened.address, recordingKey(prepared)), sha256, bytes };
    const upload = { copy, prepared, summary: Buffer.from(readNamedFileNow(summary, SUMMARY_BYTES).text ?? '') };
    const written = await uploadRecording(
      store,
      { ...upload, resume: entry.upload },
      {
        signal,
        onProgress: (done, of) =>
          status.show(`Uploading ${recording}: ${Math.floor((100 * done) / Math.max(1, of))} %`),
        onState: (state) => save({ upload: state }),
      },
    );
    await removeEntry(folder, id);
    return { ...outcome, written, ...(made && { masked: made.masked, left: made.left }) };
  } catch (error) {
    const failure = failureOf(error);
    if (signal.aborted) await abandon(store, entry);
    else {
      const { message, advice } = failure;
      save({ failure: { message, advice }, isRefused: failure.code === 'upload-refused' });
    }
    return { ...outcome, failure };
  } finally {
    status.end();
    store?.close();
  }
}

/** Deletes the parts of an upload that is cancelled. Without that, a lifecycle rule has to. */
async function abandon(store: ObjectStore | undefined, { prepared, upload }: OutboxEntry): Promise<void> {
  if (!store || !prepared || !upload) return;
  await store.abandon(recordingKey(prepared), upload, AbortSignal.timeout(ABANDON_MS)).catch(() => {});
}

/** Returns true if the copy of an earlier process is there, with the bytes that its key names. */
async function isWhole(copy: string, summary: string, prepared: PreparedCopy): Promise<boolean> {
  if (!existsSync(copy) || !existsSync(summary)) return false;
  const digest = runningSha256();
  const { bytes } = await openFile(copy);
  for (const reader = bytes.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return digest.hex() === prepared.sha256;
    digest.update(value);
  }
}

/** A recording or a policy that can’t be read stays for a person to look at. */
function failureOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (error instanceof ExitError) return new StoreError('upload-refused', error.message, 'Then push it again.');
  if (isFailure(error)) return new StoreError('upload-refused', error.message, error.advice);
  const { code, message } = error as NodeJS.ErrnoException;
  return new StoreError(
    'store-refused',
    `The outbox can’t be used: ${code ?? message}.`,
    'Make room on the disk, and check who owns the folder.',
    true,
  );
}
