import { ruleFiles } from './intercept/rule-files';
import type { RuleFiles } from './rule-file';

const ADDED: readonly RuleFiles[] = [ruleFiles];

/** The files that say what happens to messages; undefined without that feature. */
export const RULE_FILES = ADDED[0];

/** The options that name them. */
export const RULE_OPTIONS = ADDED.map(({ option }) => option);
