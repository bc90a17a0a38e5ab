import type { HostFact } from './fact';
import { BUNDLES } from './facts/bundles';
import { CLAUDE } from './facts/claude';
import { DIRECTORIES } from './facts/directories';
import { EDITORS } from './facts/editors';
import { OPENAI } from './facts/openai';
import { OTHERS } from './facts/others';
import { REGISTRY } from './facts/registry';

/** Every fact that is known about hosts. */
export const HOST_FACTS: readonly HostFact[] = [
  ...CLAUDE,
  ...OPENAI,
  ...EDITORS,
  ...OTHERS,
  ...DIRECTORIES,
  ...BUNDLES,
  ...REGISTRY,
];
