import { createContext, Script } from 'node:vm';

/** Calls what it is given. A script, since nothing else of Node can be stopped from outside, not even by a signal. */
const CALL = new Script('call()');
const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Runs work that may take for ever, as the pattern of a hostile schema does, and stops it in the middle after `ms`. False if it was
 * stopped: what it worked on is then in no state to go on with. Throws what the work throws.
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
