import { app } from './apps/result-view';
import type { ResultView } from './page-feature';

/** Views of the results of tools. Apart from the other lists, because it is loaded with Browse. */
export const RESULT_VIEWS: readonly ResultView[] = [app];
