import { apps } from './apps/page';
import { chat } from './chat/page';
import { check } from './check/page';
import { evals } from './evals/page';
import { hosts } from './hosts/page';
import { intercept } from './intercept/page';
import type { PageFeature } from './page-feature';
import { skills } from './skills/page';
import { tap } from './tap/page';
import { team } from './team/page';

/** Every feature that adds to the page. The core’s registries read this list. */
export const PAGE_FEATURES: readonly PageFeature[] = [apps, chat, check, evals, hosts, intercept, skills, tap, team];

/** The panels of all features, their views in Browse, their lines, and their pages. */
export const FEATURE_PANELS = PAGE_FEATURES.flatMap(({ panels = [] }) => panels);
export const BROWSE_VIEWS = PAGE_FEATURES.flatMap(({ browse = [] }) => browse);
export const FEATURE_BANNERS = PAGE_FEATURES.flatMap(({ banner }) => banner ?? []);
export const FEATURE_PAGES = PAGE_FEATURES.flatMap(({ pages = [] }) => pages);
