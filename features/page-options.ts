import type { Option } from '@/proxy/cli/grammar';
import { PINS_OPTION } from './check/proxy/page-option';

/** The options of the page that features add. */
export const FEATURE_PAGE_OPTIONS: readonly Option[] = [PINS_OPTION];
