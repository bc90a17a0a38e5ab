import type { InterceptRule } from '@/lib/wire/intercept';
import { sharedByLog } from './log';

/** A rule that the user wants to make from something else on the page. The Intercept panel opens its form with it. */
export const WANTED_RULE = sharedByLog<InterceptRule | undefined>(undefined);
