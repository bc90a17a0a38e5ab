import { type Baseline, withBaseline } from './baseline';
import { type Budget, withBudget } from './budget';
import { type CheckSettings, withSettings } from './check-settings';
import type { CheckReport } from './report';

/** Decisions of a project about problems. */
interface Decisions {
  readonly baseline: Baseline | undefined;
  readonly budget: Budget;
  readonly settings: CheckSettings | undefined;
}

/** Leaves out what is accepted or off, adds what is above the budget, and gives findings their severities. */
export function rateReport(report: CheckReport, { baseline, budget, settings }: Decisions): CheckReport {
  const within = withBudget(baseline ? withBaseline(report, baseline) : report, budget);
  return settings ? withSettings(within, settings) : within;
}
