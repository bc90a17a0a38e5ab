import { holdLike } from './intercept/components/rule-like';
import type { MessageAction } from './page-feature';

/** The actions of features on a message of the log. */
export const MESSAGE_ACTIONS: readonly MessageAction[] = [holdLike];
