import type { ProtocolRule } from '@/lib/problems/rule';
import { APP_RULES } from './apps/lib/rules';
import { SKILL_RULES } from './skills/lib/rules';

/** The rules of features, in the order of the docs. */
export const FEATURE_RULES: readonly ProtocolRule[] = [SKILL_RULES, APP_RULES].flat();
