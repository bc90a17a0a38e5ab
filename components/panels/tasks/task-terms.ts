import { isObject, own } from '@/lib/json/value';
import type { LogState } from '@/lib/store/state/state';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { declaresTasks } from '@/lib/wire/task';

/** How a server takes tasks. */
export type TaskTerms = 'list' | 'no-list' | 'extension' | 'none';

/** Returns how a server takes tasks. */
export function taskTerms({ connection, server: { capabilities } }: LogState): TaskTerms {
  if (connection.era === 'modern') {
    const extensions = capabilities && own(capabilities, 'extensions');
    return isObject(extensions) && own(extensions, EXTENSION.tasks) !== undefined ? 'extension' : 'none';
  }
  if (!declaresTasks(capabilities, [])) return 'none';
  return declaresTasks(capabilities, ['list']) ? 'list' : 'no-list';
}

/** Returns true if a server takes tasks, or has run one. */
export function hasTasks(state: LogState): boolean {
  return state.tasks.all.length > 0 || taskTerms(state) !== 'none';
}
