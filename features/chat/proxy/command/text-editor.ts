import { join } from 'node:path';
import { split } from 'shlex';
import { writeErrorReason, writeNewFile } from '@/proxy/files/private-files';
import { withTemporaryFolder } from '@/proxy/files/temporary-folder';
import { readNamedFile } from '@/proxy/files/user-files';
import { editFile } from '@/proxy/process/edit-file';

/** Bytes of an edited text. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Returns what opens a text in the editor that `VISUAL` or `EDITOR` names; undefined if neither does. The text is in a
 * file that only this user can read, and that is deleted afterwards.
 */
export function textEditor(
  { VISUAL, EDITOR }: Readonly<Record<string, string | undefined>>,
  printNote: (line: string) => void,
): ((text: string) => Promise<string | undefined>) | undefined {
  const words = wordsOf(VISUAL?.trim() || EDITOR?.trim() || '');
  if (words.length === 0) return undefined;
  return (text) =>
    withTemporaryFolder(async (folder) => {
      const path = join(folder, /^\s*[[{]/.test(text) ? 'text.json' : 'text.md');
      await writeNewFile(path, [Buffer.from(`${text}\n`)]);
      const wrong = await editFile(words, path);
      const { text: edited, wrong: unread = 'it is gone.' } = await readNamedFile(path, { most: MOST_BYTES });
      if (wrong === undefined && edited !== undefined) return edited.replace(/\r?\n$/, '');
      const why = wrong === undefined ? `The edited text can’t be read: ${unread}` : `${words[0]} failed: ${wrong}.`;
      printNote(`mcp-inspect: ${why}`);
      return undefined;
    }).catch((error: unknown) => {
      printNote(`mcp-inspect: The text can’t be edited: ${writeErrorReason(error)}.`);
      return undefined;
    });
}

function wordsOf(text: string): readonly string[] {
  try {
    return split(text);
  } catch {
    return [];
  }
}
