import { sampling } from './chat/questions';
import type { QuestionFeature } from './page-feature';

/** Every feature that adds to the questions of servers. Apart from the other lists, because it is loaded with them. */
export const QUESTION_FEATURES: readonly QuestionFeature[] = [sampling];
