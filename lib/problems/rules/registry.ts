import { FEATURE_RULES } from '@/features/problem-rules';
import type { ProtocolRule } from '../rule';
import { ERROR_RULES, ID_RULES } from './answers';
import { CAPABILITY_RULES } from './capabilities';
import { CONTENT_RULES } from './content';
import { FORMAT_RULES } from './formats';
import { FORM_RULES } from './forms';
import { FRAMING_RULES } from './framing';
import { HTTP_RULES } from './http';
import { HTTP_METHOD_RULES } from './http-methods';
import { LISTING_RULES } from './listings';
import { LOGGING_RULES } from './logging';
import { METHOD_RULES } from './methods';
import { MODERN_RULES } from './modern';
import { PROGRESS_RULES } from './progress';
import { SAMPLING_RULES } from './sampling';
import { SESSION_RULES } from './sessions';
import { SHAPE_RULES } from './shapes';
import { SUBSCRIPTION_RULES } from './subscriptions';
import { TASK_RULES } from './tasks';
import { TOOL_RULES } from './tools';
import { VERSION_RULES } from './versions';

/** Every rule, in the order of the docs. */
export const PROTOCOL_RULES: readonly ProtocolRule[] = [
  ...FRAMING_RULES,
  ...ID_RULES,
  ...METHOD_RULES,
  ...VERSION_RULES,
  ...CAPABILITY_RULES,
  ...SHAPE_RULES,
  ...PROGRESS_RULES,
  ...LISTING_RULES,
  ...TOOL_RULES,
  ...FORMAT_RULES,
  ...CONTENT_RULES,
  ...SAMPLING_RULES,
  ...FORM_RULES,
  ...FEATURE_RULES,
  ...ERROR_RULES,
  ...MODERN_RULES,
  ...LOGGING_RULES,
  ...SUBSCRIPTION_RULES,
  ...TASK_RULES,
  ...HTTP_RULES,
  ...HTTP_METHOD_RULES,
  ...SESSION_RULES,
];
