import type { Planted } from './test-plant';
import { BY_LAYOUT } from './test-planted-layouts';
import { AS_PROGRAMS_PRINT } from './test-planted-logs';
import { IN_MESSAGES } from './test-planted-messages';
import { TOKENS } from './test-planted-tokens';
import { BY_VALUE } from './test-planted-values';
import { ON_THE_WIRE } from './test-planted-wire';

/** Each place where a secret may come to stand in a session, with one of its own. */
export const PLANTED: readonly Planted[] = [
  ...ON_THE_WIRE,
  ...IN_MESSAGES,
  ...BY_VALUE,
  ...AS_PROGRAMS_PRINT,
  ...TOKENS,
  ...BY_LAYOUT,
];
