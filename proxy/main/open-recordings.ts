import { resolve } from 'node:path';
import type { Hub } from '../connection/hub';
import { openFailure } from '../recorder/open-failure';
import { openFile } from '../recorder/open-file';

/** Opens the files that the command line names, in their order. Returns a sentence for people if one of them can't be. */
export async function openRecordings(hub: Hub, files: readonly string[], cwd: string): Promise<string | undefined> {
  for (const file of files) {
    try {
      await hub.openRecording(await openFile(resolve(cwd, file)));
    } catch (error) {
      return `\`${file}\` can’t be opened. ${openFailure(error, 'after `open`')}`;
    }
  }
  return undefined;
}
