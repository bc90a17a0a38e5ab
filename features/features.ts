import { agents } from './agents/feature';
import { chat } from './chat/feature';
import { evals } from './evals/feature';
import type { Feature } from './feature';

/** Every feature beside the core. The core's registries read this list. Nothing else of the core names a feature. */
export const FEATURES: readonly Feature[] = [chat, evals, agents];
