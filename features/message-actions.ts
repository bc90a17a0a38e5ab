import { holdLike } from './intercept/components/rule-like';
import type { MessageAction } from './page-feature';

/** What features can do with a message of the log. */
export const MESSAGE_ACTIONS: readonly MessageAction[] = [holdLike];
