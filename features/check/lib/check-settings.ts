import { HOST_JUDGE } from '@/features/host-judges';
import { isObject, own, textOrJson } from '@/lib/json/value';
import type { Severity } from '@/lib/problems/rule';
import { docsUrl } from '@/lib/wire/docs-url';
import { TEAM_OPTIONS } from '@/lib/wire/team-options';
import { type Budget, budgetSchema, readBudgetLimit } from './budget';
import { HOST_RULE, knownRules } from './check-rules';
import { type Exception, readExceptions, withExceptions } from './exceptions';
import { type CheckFinding, type CheckReport, findingsOf } from './report';

/** How severe the problems of a rule are; `off` leaves them out. */
type RuleSetting = Severity | 'off';

const SETTINGS: readonly RuleSetting[] = ['off', 'info', 'warning', 'error'];
const SEVERITIES = SETTINGS.filter((setting) => setting !== 'off');

/** Settings of a project for `check`. */
export interface CheckSettings {
  readonly rules: ReadonlyMap<string, RuleSetting>;
  /** The least severity that fails the check. Absent: that of the command line. */
  readonly failOn: Severity | undefined;
  readonly exceptions: readonly Exception[];
  readonly budget: Budget;
  /** The hosts whose limits count, by name. Absent: all that are known. */
  readonly hosts: readonly string[] | undefined;
}

/** Returns settings with those that they extend: they come first, and exceptions add up. */
export function extendedSettings(base: CheckSettings, added: CheckSettings): CheckSettings {
  const { rules, failOn, exceptions, budget, hosts } = added;
  return {
    rules: new Map([...base.rules, ...rules]),
    failOn: failOn ?? base.failOn,
    exceptions: [...base.exceptions, ...exceptions],
    budget: { ...base.budget, ...budget },
    hosts: hosts ?? base.hosts,
  };
}

/** Returns a line for each setting with which a check reports less than without it. */
export function hiddenBy({ rules, exceptions, hosts }: CheckSettings): readonly string[] {
  return [
    ...[...rules].filter(isLess).map(([rule, setting]) => `${rule}: ${setting}`),
    ...exceptions.map(({ rule, until }) => `${rule}: accepted until ${until}`),
    ...(hosts ? [`limits of ${hosts.length === 0 ? 'no host' : `${hosts.join(', ')} only`}`] : []),
  ];
}

/** Returns settings without what {@link hiddenBy} lists. */
export function onlyStricter(settings: CheckSettings): CheckSettings {
  const rules = new Map([...settings.rules].filter((rule) => !isLess(rule)));
  return { ...settings, rules, exceptions: [], hosts: undefined };
}

/** Nothing is more severe than an error. */
function isLess([, setting]: readonly [rule: string, setting: RuleSetting]): boolean {
  return setting !== 'error';
}

/** Ids of the hosts that settings can choose. */
const HOSTS = HOST_JUDGE?.hosts ?? [];

const MEMBERS: readonly string[] = [
  '$schema',
  'extends',
  'rules',
  'failOn',
  'budget',
  'hosts',
  'exceptions',
  'options',
];

/** Finds the nearest of some words; undefined if none is near. */
type Closest = (word: string, among: readonly string[]) => string | undefined;

/**
 * Reads the parsed `mcp-inspect.config.json`; undefined if it is not JSON. Returns the fault, as the end of
 * a sentence, if it is invalid.
 */
export function readCheckSettings(parsed: unknown, closest: Closest): CheckSettings | string {
  if (parsed === undefined) return 'it is not JSON';
  if (!isObject(parsed)) return 'it is not a JSON object';
  const unknown = Object.keys(parsed).find((key) => !MEMBERS.includes(key));
  if (unknown !== undefined) return `\`${unknown}\` is unknown: it may have ${MEMBERS.join(', ')}`;
  const failOn = own(parsed, 'failOn');
  const least = SEVERITIES.find((known) => known === failOn);
  if (failOn !== undefined && !least) return `\`failOn\` is not one of ${SEVERITIES.join(', ')}`;
  const given = own(parsed, 'rules') ?? {};
  if (!isObject(given)) return '`rules` is not an object';
  const rules = new Map<string, RuleSetting>();
  const known = knownRules();
  const isRule = (id: string): boolean => known.includes(id) || HOST_RULE.test(id);
  for (const [rule, value] of Object.entries(given)) {
    const setting = SETTINGS.find((one) => one === value);
    if (!isRule(rule)) {
      const near = closest(rule, known);
      return `there is no rule \`${rule}\`${near === undefined ? `. ${docsUrl('rules')} and ${docsUrl('check')} list all` : `: did you mean \`${near}\`?`}`;
    }
    if (!setting) return `\`${rule}\` is not one of ${SETTINGS.join(', ')}`;
    rules.set(rule, setting);
  }
  const exceptions = readExceptions(own(parsed, 'exceptions'), isRule);
  if (typeof exceptions === 'string') return exceptions;
  const budget = readBudget(own(parsed, 'budget') ?? {});
  if (typeof budget === 'string') return budget;
  const hosts = readHosts(own(parsed, 'hosts'), closest);
  return typeof hosts === 'string' ? hosts : { rules, failOn: least, exceptions, budget, hosts };
}

function readHosts(given: unknown, closest: Closest): CheckSettings['hosts'] | string {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) return '`hosts` is not a list';
  const unknown = given.findIndex((name) => !HOSTS.includes(name));
  if (unknown < 0) return given;
  const name = textOrJson(given[unknown]).slice(0, 60);
  const near = closest(name, HOSTS);
  return `no limit of the host \`${name}\` is known: ${near === undefined ? `choose from ${HOSTS.join(', ')}` : `did you mean \`${near}\`?`}`;
}

/** Reads limits by name. Returns the fault, as the end of a sentence, if one is invalid. */
export function readBudget(given: unknown): Budget | string {
  if (!isObject(given)) return '`budget` is not an object';
  const limits = Object.entries(given).map(([name, value]) => readBudgetLimit(name, value));
  return limits.find((limit) => typeof limit === 'string') ?? Object.assign({}, ...limits);
}

/** The settings of `check` in the file of a team. */
export const checkSettings = { read: readCheckSettings, hiddenBy };

/** Gives findings the severities of a project, and leaves out those that are off, or limits of other hosts. */
export function withSettings(report: CheckReport, { rules, exceptions, hosts }: CheckSettings): CheckReport {
  // The hosts of `--for` were asked for.
  const isOfOthers = ({ rule, hosts: limited }: CheckFinding) =>
    hosts && limited && !HOST_RULE.test(rule) && !limited.some((name) => hosts.includes(name));
  const sources = report.sources.map((source) => ({
    ...source,
    steps: source.steps.map((step) => ({
      ...step,
      findings: step.findings.flatMap((finding) => {
        const setting = rules.get(finding.rule);
        if (setting === 'off' || isOfOthers(finding)) return [];
        return [setting === undefined ? finding : { ...finding, severity: setting }];
      }),
    })),
  }));
  const off = findingsOf(report).length - findingsOf({ sources }).length;
  return withExceptions({ ...report, sources, ...(off > 0 && { off }) }, exceptions);
}

/** The JSON Schema of the file, which editors use. */
export function settingsSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Settings of mcp-inspect',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      failOn: {
        description: 'The least severity that fails the check. --fail-on of the command line comes first.',
        enum: SEVERITIES,
        default: 'error',
      },
      extends: { description: 'A file with settings that these add to, such as those of a company.', type: 'string' },
      exceptions: {
        description: 'Problems to live with for a while. An expired exception counts no more.',
        type: 'array',
        items: {
          type: 'object',
          required: ['rule', 'owner', 'until'],
          additionalProperties: false,
          properties: {
            rule: { anyOf: [{ enum: knownRules() }, { type: 'string', pattern: HOST_RULE.source }] },
            server: { type: 'string' },
            owner: { type: 'string' },
            until: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
            reason: { type: 'string' },
          },
        },
      },
      options: {
        description: 'Options of the command line for everybody in the project. Paths start in the working directory.',
        type: 'object',
        additionalProperties: false,
        properties: TEAM_OPTIONS,
      },
      budget: budgetSchema(),
      hosts: {
        description: 'The hosts whose limits count. Without it, those of all hosts do.',
        type: 'array',
        items: { enum: HOSTS },
      },
      rules: {
        description: 'Severities of rules. Problems of a rule that is off are left out.',
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(knownRules().map((rule) => [rule, { $ref: '#/definitions/setting' }])),
        patternProperties: { [HOST_RULE.source]: { $ref: '#/definitions/setting' } },
      },
    },
    definitions: { setting: { enum: SETTINGS } },
  };
}
