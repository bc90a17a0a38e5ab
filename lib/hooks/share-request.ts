import type { ConnectionSummary } from '@/lib/wire/command';
import { newAsked } from './asked';

/** A log to share that is not the one in view, such as that of a chat. */
const ASKED = newAsked<ConnectionSummary>();

/** Opens the dialog that shares a log; undefined closes it. */
export const askToShare = ASKED.ask;

/** Returns the log to share; undefined for none. */
export const useAskedShare = ASKED.use;
