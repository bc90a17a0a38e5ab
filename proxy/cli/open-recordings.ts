import { resolve } from 'node:path';
import { isFailure } from '@/lib/wire/lifecycle';
import type { Hub } from '../connection/hub';
import { openFile } from '../recorder/open-file';

/** Opens the files that the command line names, in their order. Returns a sentence for people if one of them can't be. */
export async function openRecordings(hub: Hub, files: readonly string[], cwd: string): Promise<string | undefined> {
  for (const file of files) {
    try {
      await hub.openRecording(await openFile(resolve(cwd, file)));
    } catch (error) {
      return `\`${file}\` can’t be opened. ${why(error)}`;
    }
  }
  return undefined;
}

function why(error: unknown): string {
  if (isFailure(error)) return `${error.message} ${error.advice}`;
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS.get(code ?? '') ?? `${message}: check the path after \`open\`.`;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'There is no such file: check the path after `open`.'],
  ['EACCES', 'You may not read it: change its permissions, or ask whom it belongs to.'],
  ['EINVAL', 'It is no file: name one after `open`.'],
  ['EISDIR', 'It is a directory: name a file in it.'],
]);
