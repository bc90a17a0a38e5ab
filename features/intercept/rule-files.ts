import type { RuleFiles } from '../rule-file';

/** Files with rules, or with an overlay of the tools. */
export const ruleFiles: RuleFiles = {
  option: {
    name: 'intercept',
    value: 'FILE',
    help: 'change messages by the rules of a file, or tools by its overlay',
  },
  load: () => import('./proxy/open-rules'),
};
