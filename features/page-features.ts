import { evals } from './evals/page';
import type { PageFeature } from './page-feature';

/** Every feature that adds to the page. The core’s registries read this list. */
export const PAGE_FEATURES: readonly PageFeature[] = [evals];

/** The pages of all features. */
export const FEATURE_PAGES = PAGE_FEATURES.flatMap(({ pages = [] }) => pages);
