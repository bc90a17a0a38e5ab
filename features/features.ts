import { agents } from './agents/feature';
import { apps } from './apps/feature';
import { chat } from './chat/feature';
import { check } from './check/feature';
import { evals } from './evals/feature';
import type { Feature } from './feature';
import { serverCard } from './server-card/feature';
import { skills } from './skills/feature';
import { tap } from './tap/feature';
import { team } from './team/feature';

/** Every feature beside the core. The core's registries read this list and those beside it. */
export const FEATURES: readonly Feature[] = [skills, apps, serverCard, check, tap, team, chat, evals, agents];
