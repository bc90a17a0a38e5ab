import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject, own } from '@/lib/json/value';
import { LIMITS } from '@/lib/wire/limits';
import { makeFolder, replaceJson } from '@/proxy/files/data-folder';
import { deleteIfThere } from '@/proxy/files/existing-files';
import { isAlive, PID_NAMESPACE, processStat } from '@/proxy/files/process-identity';
import { readNamedFileNow } from '@/proxy/files/user-files';
import { hasEnd } from './in-use';

/** Version of an entry. Entries of other versions stay as they are. */
const OUTBOX_VERSION = 1;
/** Most bytes of an entry. One of an upload in 10,000 parts has about 400 KB. */
const ENTRY_BYTES = 2 * 1024 * 1024;

/** A policy as it was when the upload was ordered. */
export interface PolicyOrder {
  readonly file: string;
  readonly text: string;
  /** True if the file was named, or somebody agreed to it: then it may keep values. */
  readonly mayKeep: boolean;
}

/** Says where recordings are uploaded, and what is said of them. Plain data without credentials. */
export interface UploadOrder {
  /** `s3://bucket/prefix`. */
  readonly to: string;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly style?: 'path' | 'host' | undefined;
  /** `AWS_PROFILE` at that time. */
  readonly profile?: string | undefined;
  readonly tags: readonly string[];
  readonly author?: string | undefined;
  readonly commit?: string | undefined;
  readonly ci?: { readonly name: string; readonly run?: string } | undefined;
  /** Nothing is uploaded while something that is possibly secret is left. */
  readonly isStrict: boolean;
  /** Content of `share.policy.json`, as it was then, and its name for people. */
  readonly policy?: PolicyOrder | undefined;
}

/** The redacted copy of an entry, which is beside it. */
export interface PreparedCopy {
  readonly sha256: string;
  readonly bytes: number;
  /** Start of the recording in UTC: `2026-11-26`. */
  readonly day: string;
  /** Version of mcp-inspect that made it. Another may mask more. */
  readonly by?: string;
}

/** A recording that waits to be uploaded. A JSON file. */
export interface OutboxEntry {
  readonly outbox: typeof OUTBOX_VERSION;
  /** Absolute path. */
  readonly recording: string;
  /** The process that writes the recording. Absent: it was complete. */
  readonly writer?: { readonly pid: number; readonly start: number | undefined; readonly space: string };
  readonly order: UploadOrder;
  readonly prepared?: PreparedCopy | undefined;
  /** An upload in parts that has begun; see `UploadState` of the bucket. */
  readonly upload?: { readonly id: string; readonly partBytes: number; readonly parts: readonly string[] } | undefined;
  /** Why the last attempt failed. */
  readonly failure?: { readonly message: string; readonly advice: string } | undefined;
  /** Something possible was left, or it can't be read: a person has to decide. */
  readonly isRefused?: boolean | undefined;
}

/** An entry, and its files. */
export interface WaitingUpload {
  readonly id: string;
  readonly entry: OutboxEntry;
  /** Paths of its redacted copy and its summary, which may not exist yet. */
  readonly copy: string;
  readonly summary: string;
}

/**
 * Adds a recording. `isWritten`: this process is writing it, and it is uploaded once it has its end or this process has
 * gone. Returns the id of the entry. Throws the system's error.
 */
export function addToOutbox(folder: string, recording: string, order: UploadOrder, isWritten: boolean): string {
  makeFolder(folder);
  const id = `${new Date().toISOString().replace(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}`;
  const writer = { pid: process.pid, start: processStat(process.pid)?.start, space: PID_NAMESPACE };
  const entry: OutboxEntry = { outbox: OUTBOX_VERSION, recording, order, ...(isWritten && { writer }) };
  saveEntry(folder, id, entry);
  return id;
}

/**
 * Returns the secret of this data folder, from which the placeholders of copies are made: the same recording has the
 * same copy each time, and nobody without the secret can guess a value. Throws the system's error.
 */
export function outboxSecret(folder: string): Buffer {
  makeFolder(folder);
  const file = join(folder, 'secret.json');
  const read = (): string | undefined => {
    try {
      const kept: unknown = JSON.parse(readNamedFileNow(file, ENTRY_BYTES).text ?? '');
      const secret = isObject(kept) ? own(kept, 'secret') : undefined;
      return typeof secret === 'string' && /^[0-9a-f]{64}$/.test(secret) ? secret : undefined;
    } catch {
      return undefined;
    }
  };
  if (read() === undefined) replaceJson(file, { secret: randomBytes(32).toString('hex') });
  return Buffer.from(read() ?? '', 'hex');
}

/** Replaces an entry. Throws the system's error. */
export function saveEntry(folder: string, id: string, entry: OutboxEntry): void {
  replaceJson(join(folder, `${id}.json`), entry);
}

/** Deletes an entry and its files. The entry itself goes last, so that a crash leaves no file without it. */
export async function removeEntry(folder: string, id: string): Promise<void> {
  for (const end of ['.copy.part', '.copy', '.summary', '.json']) await deleteIfThere(join(folder, id + end));
}

/** Returns all entries, oldest first. */
export function readOutbox(folder: string): readonly WaitingUpload[] {
  return namesIn(folder)
    .filter((name) => ENTRY.test(name))
    .sort()
    .flatMap((name) => {
      const id = basename(name, '.json');
      const entry = readEntry(join(folder, name));
      return entry ? [{ id, entry, copy: join(folder, `${id}.copy`), summary: join(folder, `${id}.summary`) }] : [];
    });
}

/** Returns true if the recording of an entry has ended, or the process that wrote it has. */
export function isOver({ writer, recording }: OutboxEntry): boolean {
  if (!writer || hasEnd(recording)) return true;
  // Processes in other containers can't be seen, but they touch what they write.
  if (writer.space !== PID_NAMESPACE) {
    const facts = lstatSync(recording, { throwIfNoEntry: false });
    return !facts || Date.now() - facts.mtimeMs > LIMITS.strangeWriterMs;
  }
  if (!isAlive(writer.pid)) return true;
  const start = processStat(writer.pid)?.start;
  return start !== undefined && writer.start !== undefined && start !== writer.start;
}

const ENTRY = /^\d{8}T\d{9}Z-[0-9a-f]{8}\.json$/;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Only we write there, but a version of the future may. */
function readEntry(path: string): OutboxEntry | undefined {
  try {
    const entry: unknown = JSON.parse(readNamedFileNow(path, ENTRY_BYTES).text ?? '');
    if (!isObject(entry) || own(entry, 'outbox') !== OUTBOX_VERSION) return undefined;
    return typeof own(entry, 'recording') === 'string' && isObject(own(entry, 'order'))
      ? (entry as unknown as OutboxEntry)
      : undefined;
  } catch {
    return undefined;
  }
}
