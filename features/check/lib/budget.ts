import { textOrJson } from '@/lib/json/value';
import { countOf, formatBytes } from '@/lib/wire/format';
import type { CheckedSource, CheckFacts, CheckFinding, CheckReport } from './report';

/** The most that a server may take of each resource; a name that is missing has no limit. */
export type Budget = Partial<Readonly<Record<BudgetName, number>>>;

type BudgetName = keyof typeof BUDGETS;

/** A quantity that can have a limit. */
interface BudgetRow {
  readonly unit: 'count' | 'ms' | 'bytes';
  /** Describes it in the schema of the settings. */
  readonly what: string;
  /** Its place in the server’s offers; undefined for the whole session. */
  readonly path: string | undefined;
  measured(facts: CheckFacts): number | undefined;
  /** Says why it was not measured, and how it would be. */
  readonly missing: string;
  amount(value: number): string;
  /** Says the amount that was measured, as the beginning of a sentence. */
  says(amount: string): string;
  readonly advice: string;
}

const LISTED = 'The session has no list of tools.';

/** Every quantity, by its name in `--budget`. */
const BUDGETS = {
  tokens: {
    unit: 'count',
    what: 'Estimated tokens of all tool definitions.',
    path: 'tools',
    measured: ({ tokens }) => tokens,
    missing: LISTED,
    amount: (value) => `~${countOf(value, 'token')}`,
    says: (amount) => `All tool definitions take ${amount}`,
    advice: 'Shorten descriptions and schemas, or offer fewer tools.',
  },
  tools: {
    unit: 'count',
    what: 'Number of tools.',
    path: 'tools',
    measured: ({ tools }) => tools,
    missing: LISTED,
    amount: (value) => countOf(value, 'tool'),
    says: (amount) => `The server has ${amount}`,
    advice: 'Merge tools, or let users choose groups of them.',
  },
  p95: {
    unit: 'ms',
    what: 'Milliseconds within which 95% of lists, calls, reads and prompts are answered, such as "500ms".',
    path: undefined,
    measured: ({ p95Ms }) => p95Ms,
    missing: 'The session has no answered list, call, read or prompt.',
    amount: (value) => `${value} ms`,
    says: (amount) => `95% of requests are answered within ${amount}`,
    advice: 'Find the slow requests in a recording: `--record FILE`.',
  },
  result: {
    unit: 'bytes',
    what: 'Bytes of the largest result of a call, read or prompt, such as "64KB".',
    path: undefined,
    measured: ({ largestResult }) => largestResult,
    missing:
      'No tool was called, no resource read and no prompt got. `--allow read-only` and `--pins FILE` call tools.',
    amount: formatBytes,
    says: (amount) => `The largest result takes ${amount}`,
    advice: 'Return less, or a link to a resource. Hosts cut long results, or refuse them.',
  },
} as const satisfies Record<string, BudgetRow>;

const NAMES = Object.keys(BUDGETS) as readonly BudgetName[];

const UNITS: Readonly<Record<BudgetRow['unit'], Readonly<Record<string, number>>>> = {
  count: { '': 1 },
  ms: { '': 1, ms: 1, s: 1000 },
  bytes: { '': 1, B: 1, KB: 1000, MB: 1_000_000 },
};

/** Reads a limit, such as `tokens` and `5000`. Returns why it is invalid, as the end of a sentence. */
export function readBudgetLimit(name: string, value: unknown): { readonly [name: string]: number } | string {
  const known = NAMES.find((one) => one === name);
  if (known === undefined) return `there is no budget \`${name.slice(0, 60)}\`: choose from ${NAMES.join(', ')}`;
  const units = UNITS[BUDGETS[known].unit];
  const [, digits, unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?)\s?([a-zA-Z]*)$/.exec(textOrJson(value)) ?? [];
  const factor = units[unit];
  if (digits === undefined || factor === undefined) {
    const forms = Object.keys(units).map((one) => (one === '' ? 'a number' : `100${one}`));
    return `\`${name}\` is not a limit: write ${forms.join(', ')}`;
  }
  return { [known]: Number(digits) * factor };
}

/** Adds a step to each source of a report, with what is above the budget, or could not be measured. */
export function withBudget(report: CheckReport, budget: Budget): CheckReport {
  const sources = report.sources.map((source) => {
    // A source that could not be reached or read already has a finding.
    if (!wasReached(source)) return source;
    const findings = NAMES.flatMap((name) => budgetFindings(name, budget[name], source.facts));
    return { ...source, steps: [...source.steps, { name: 'budget', ms: 0, findings }] };
  });
  return { ...report, sources };
}

function wasReached({ facts, file }: CheckedSource): boolean {
  return file === undefined ? facts.era !== undefined : facts.frames !== undefined;
}

function budgetFindings(name: BudgetName, most: number | undefined, facts: CheckFacts): readonly CheckFinding[] {
  if (most === undefined) return [];
  const { path, measured, missing, amount, says, advice }: BudgetRow = BUDGETS[name];
  const value = measured(facts);
  const about = { severity: 'error', path, frames: [], spec: undefined } as const;
  if (value === undefined) {
    const message = `The budget ${name} can’t be checked. ${missing}`;
    const fix = 'Make it measurable, or remove the budget.';
    return [{ ...about, rule: 'budget-unmeasured', title: 'Budget that was not measured', message, advice: fix }];
  }
  if (value <= most) return [];
  const message = `${says(amount(value))}; the budget is ${amount(most)}.`;
  return [{ ...about, rule: `budget-${name}`, title: `Above the budget for ${name}`, message, advice }];
}

/** The JSON Schema of budgets in the settings. */
export function budgetSchema(): object {
  const properties = NAMES.map((name) => {
    const { unit, what } = BUDGETS[name];
    return [name, { description: what, type: unit === 'count' ? 'number' : ['number', 'string'] }];
  });
  return {
    description: 'The most that a server may take. What is above it is an error. --budget comes first.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}
