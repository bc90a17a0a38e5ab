import { sharedByLog } from '@/lib/hooks/log';
import type { InterceptRule } from '@/lib/wire/intercept';

/** A rule that the user wants to make from something else on the page. The view *Hold* opens its form with it. */
export const WANTED_RULE = sharedByLog<InterceptRule | undefined>(undefined);
