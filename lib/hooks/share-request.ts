import type { ConnectionSummary } from '@/lib/wire/command';
import { newAsked } from './asked';

/** A log to share that is not a connection's. */
interface AskedShare {
  readonly log: ConnectionSummary;
  /** The panel that shows it. */
  readonly panel: string;
}

const ASKED = newAsked<AskedShare>();

/** Opens the dialog that shares a log; undefined closes it. */
export const askToShare = ASKED.ask;

/** Returns the log to share; undefined for none. */
export const useAskedShare = ASKED.use;
