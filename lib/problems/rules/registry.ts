import type { Rule } from '../rule';
import { ERROR_RULES, IDS } from './answers';
import { CONTENT_RULES } from './content';
import { FRAMING } from './framing';
import { HTTP_RULES } from './http';
import { LISTING_RULES } from './listings';
import { CAPABILITIES, METHOD_RULES } from './methods';
import { MODERN_RULES } from './modern';
import { PROGRESS } from './progress';
import { SHAPE_RULES } from './shapes';
import { TOOL_RULES } from './tools';

/** Every rule. The order is that of the docs. */
export const RULES: readonly Rule[] = [
  ...FRAMING,
  ...IDS,
  ...METHOD_RULES,
  ...CAPABILITIES,
  ...SHAPE_RULES,
  ...PROGRESS,
  ...LISTING_RULES,
  ...TOOL_RULES,
  ...CONTENT_RULES,
  ...ERROR_RULES,
  ...MODERN_RULES,
  ...HTTP_RULES,
];
