import { chat } from './chat/page';
import { check } from './check/page';
import { evals } from './evals/page';
import { hosts } from './hosts/page';
import type { PageFeature } from './page-feature';
import { tap } from './tap/page';
import { team } from './team/page';

/** Every feature that adds to the page. The core’s registries read this list. */
export const PAGE_FEATURES: readonly PageFeature[] = [chat, check, evals, hosts, tap, team];

/** The panels of all features, and their pages. */
export const FEATURE_PANELS = PAGE_FEATURES.flatMap(({ panels = [] }) => panels);
export const FEATURE_PAGES = PAGE_FEATURES.flatMap(({ pages = [] }) => pages);
