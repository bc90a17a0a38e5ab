import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isHar, recordingBytes } from '@/lib/reading/recording-bytes';
import { isGzip, plainBytes } from '@/lib/recording/plain-bytes';
import type { HeaderFacts } from '@/lib/recording/read-header';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { importedFileName } from './file-names';
import { writeNewFile } from './new-file';
import { openFile } from './open-file';
import { makeFolder } from './recordings-folder';

/**
 * Copies a recording into a folder, under a name of its own, which it returns; of an HTTP Archive, the recording that it makes. Rejects with a RecordingError for what is none, with
 * the system's error, and with that of `bytes`; then nothing stays of it.
 */
export async function importRecording(folder: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  makeFolder(folder);
  // No name of a recording: nobody lists it before it is one.
  const part = newPart(folder);
  await writeNewFile(part, bytes);
  if (!(await isArchive(part))) return take(folder, part);
  const made = newPart(folder);
  try {
    await writeNewFile(made, recordingBytes((await openFile(part)).bytes));
  } finally {
    await rm(part, { force: true });
  }
  return take(folder, made);
}

function newPart(folder: string): string {
  return join(folder, `${randomBytes(8).toString('hex')}.part`);
}

/** Makes a recording in the folder one of its own. */
async function take(folder: string, part: string): Promise<string> {
  try {
    const { at, name } = await headerOf(part);
    const id = importedFileName(at || new Date().toISOString(), name, await isGzipped(part));
    await rename(part, join(folder, id));
    return id;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Reads as far as the first frame. */
async function headerOf(path: string): Promise<HeaderFacts> {
  const reader = new RecordingReader();
  for await (const chunk of plainBytes((await openFile(path)).bytes)) {
    if (!reader.read(chunk).next().done) break;
  }
  reader.end();
  return reader.header!;
}

async function isArchive(path: string): Promise<boolean> {
  for await (const chunk of plainBytes((await openFile(path)).bytes)) return isHar(chunk);
  return false;
}

async function isGzipped(path: string): Promise<boolean> {
  const stream = (await openFile(path)).bytes.getReader();
  const { value } = await stream.read();
  await stream.cancel();
  return value !== undefined && isGzip(value);
}
