import type { CheckReport } from '../report';
import { githubReport } from './github';
import { jsonReport } from './json';
import { junitReport } from './junit';
import { checkMarkdown } from './markdown';
import { sarifReport } from './sarif';
import { checkText } from './text';

/** A form of a report. */
export interface CheckOutput {
  /** The option that asks for it, such as `report.junit`; undefined for the text that is printed by default. */
  readonly option: string | undefined;
  readonly to: 'stdout' | 'file';
  readonly format: (report: CheckReport) => string;
}

/** Every form of a report. Of those for stdout, the first one that is asked for is printed. */
export const CHECK_OUTPUTS: readonly CheckOutput[] = [
  { option: 'json', to: 'stdout', format: jsonReport },
  { option: 'report.github', to: 'stdout', format: githubReport },
  { option: undefined, to: 'stdout', format: checkText },
  { option: 'report.junit', to: 'file', format: junitReport },
  { option: 'report.sarif', to: 'file', format: sarifReport },
  { option: 'report.markdown', to: 'file', format: checkMarkdown },
];
