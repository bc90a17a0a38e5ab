import { type Context, createContext, Script } from 'node:vm';

/** A script that calls a function: Node can stop scripts from outside, but not functions. */
const CALL = new Script('call()');
/** The one context of all calls: making one takes longer than most of the work. */
const surroundings: { call: (() => void) | undefined } = { call: undefined };
let context: Context | undefined;
const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Runs work that may never end, such as a pattern of a hostile schema, and stops it after `ms`. False if it was
 * stopped: its data is then inconsistent. Throws what the work throws.
 */
export function runWithin(ms: number, work: () => void): boolean {
  context ??= createContext(surroundings);
  // Work may run other work within limits of its own.
  const { call: outer } = surroundings;
  surroundings.call = work;
  try {
    CALL.runInContext(context, { timeout: Math.max(1, Math.ceil(ms)) });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException)?.code === TIMED_OUT) return false;
    throw error;
  } finally {
    surroundings.call = outer;
  }
}
