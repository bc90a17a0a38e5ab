import { createContext, Script } from 'node:vm';

/** A script that calls a function: Node can stop scripts from outside, but not functions. */
const CALL = new Script('call()');
const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Runs work that may never end, such as a pattern of a hostile schema, and stops it after `ms`. False if it was
 * stopped: its data is then inconsistent. Throws what the work throws.
 */
export function runWithin(ms: number, work: () => void): boolean {
  try {
    CALL.runInContext(createContext({ call: work }), { timeout: ms });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException)?.code === TIMED_OUT) return false;
    throw error;
  }
}
