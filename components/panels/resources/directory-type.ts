import { own } from '@/lib/json/value';
import type { ListEntry } from '@/lib/store/state/state';

/** The type of a resource that has children. */
const DIRECTORY_TYPE = 'inode/directory';

/** True for an entry that says that it is a directory. */
export function isDirectory(entry: ListEntry | undefined): boolean {
  return entry !== undefined && own(entry.raw, 'mimeType') === DIRECTORY_TYPE;
}
