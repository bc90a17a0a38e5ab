import { isObject, type JsonObject, own } from '@/lib/json/value';
import { declares } from '@/lib/wire/declares';
import { countOf } from '@/lib/wire/format';
import type { Listed } from './listed';
import type { CheckFinding, CheckStep } from './report';

/** A verdict of the official conformance suite about one thing. */
export interface SuiteCheck {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly errorMessage: string | undefined;
  readonly spec: string | undefined;
  /** When it was made, ISO 8601. */
  readonly at: string;
}

/** A scenario of the suite, and its verdicts. */
export interface SuiteScenario {
  readonly name: string;
  readonly checks: readonly SuiteCheck[];
  /** False for a scenario that the revision does not require. */
  readonly isRequired: boolean;
}

/** The facts that decide which scenarios apply. */
export interface SuiteTarget {
  readonly capabilities: JsonObject;
  readonly listed: Listed;
  /** True if the suite reaches a server on stdio through an HTTP server of ours. */
  readonly isFront: boolean;
}

type Need =
  | readonly ['capability' | 'tool' | 'prompt' | 'resource' | 'template', name: string]
  | readonly ['http' | 'header-tool' | 'templates'];

const tool = (name: string): readonly Need[] => [['tool', name]];
const prompt = (name: string): readonly Need[] => [['prompt', name]];
const resource = (uri: string): readonly Need[] => [['resource', uri]];
const HTTP: readonly Need[] = [['http']];
const TASKS = tool('slow_compute');
const INPUT = 'test_input_required_result_';

/**
 * The needs of scenarios: capabilities, and fixtures that only a server has that is written for the suite. A scenario
 * without a row applies to every server.
 */
const SCENARIO_NEEDS: Readonly<Record<string, readonly Need[]>> = {
  'logging-set-level': [['capability', 'logging']],
  'completion-complete': [['capability', 'completions'], ...prompt('test_prompt_with_arguments')],
  'tools-list': [['capability', 'tools']],
  'tools-call-simple-text': tool('test_simple_text'),
  'tools-call-image': tool('test_image_content'),
  'tools-call-audio': tool('test_audio_content'),
  'tools-call-embedded-resource': tool('test_embedded_resource'),
  'tools-call-mixed-content': tool('test_multiple_content_types'),
  'tools-call-with-logging': tool('test_tool_with_logging'),
  'tools-call-error': tool('test_error_handling'),
  'tools-call-with-progress': tool('test_tool_with_progress'),
  'tools-call-sampling': tool('test_sampling'),
  'tools-call-elicitation': tool('test_elicitation'),
  'json-schema-2020-12': tool('json_schema_2020_12_tool'),
  'elicitation-sep1034-defaults': tool('test_elicitation_sep1034_defaults'),
  'elicitation-sep1330-enums': tool('test_elicitation_sep1330_enums'),
  'server-sse-polling': [...HTTP, ...tool('test_reconnection')],
  'server-sse-multiple-streams': HTTP,
  'server-session-lifecycle': HTTP,
  'dns-rebinding-protection': HTTP,
  'http-header-validation': HTTP,
  'http-custom-header-server-validation': [...HTTP, ['header-tool']],
  'resources-list': [['capability', 'resources']],
  'resources-read-text': resource('test://static-text'),
  'resources-read-binary': resource('test://static-binary'),
  'resources-templates-read': [['template', 'test://template/{id}/data']],
  'resources-subscribe': resource('test://watched-resource'),
  'resources-unsubscribe': resource('test://watched-resource'),
  'sep-2164-resource-not-found': [['capability', 'resources']],
  'prompts-list': [['capability', 'prompts']],
  'prompts-get-simple': prompt('test_simple_prompt'),
  'prompts-get-with-args': prompt('test_prompt_with_arguments'),
  'prompts-get-embedded-resource': prompt('test_prompt_with_embedded_resource'),
  'prompts-get-with-image': prompt('test_prompt_with_image'),
  'input-required-result-basic-elicitation': tool(`${INPUT}elicitation`),
  'input-required-result-basic-sampling': tool(`${INPUT}sampling`),
  'input-required-result-basic-list-roots': tool(`${INPUT}list_roots`),
  'input-required-result-request-state': tool(`${INPUT}request_state`),
  'input-required-result-multiple-input-requests': tool(`${INPUT}multiple_inputs`),
  'input-required-result-multi-round': tool(`${INPUT}multi_round`),
  'input-required-result-missing-input-response': tool(`${INPUT}elicitation`),
  'input-required-result-non-tool-request': prompt(`${INPUT}prompt`),
  'input-required-result-result-type': tool(`${INPUT}elicitation`),
  'input-required-result-tampered-state': tool(`${INPUT}tampered_state`),
  'input-required-result-capability-check': tool(`${INPUT}capabilities`),
  'input-required-result-ignore-extra-params': tool(`${INPUT}elicitation`),
  'input-required-result-validate-input': tool(`${INPUT}elicitation`),
  'tasks-lifecycle': TASKS,
  'tasks-capability-negotiation': TASKS,
  'tasks-wire-fields': TASKS,
  'tasks-request-state-removal': TASKS,
  'tasks-mrtr-input': tool('confirm_delete'),
  'tasks-request-headers': [...HTTP, ...TASKS],
  'tasks-dispatch-and-envelope': TASKS,
  'tasks-status-notifications': TASKS,
  'tasks-required-task-error': TASKS,
  'tasks-mrtr-composition': tool('test_tool_with_task'),
};

/** The same for single checks of scenarios that apply. */
const CHECK_NEEDS: Readonly<Record<string, readonly Need[]>> = {
  'sep-2575-server-rejects-undeclared-capability': tool('test_missing_capability'),
  'sep-2575-missing-capability-http-400': tool('test_missing_capability'),
  'sep-2575-http-server-no-independent-requests-on-stream': tool('test_streaming_elicitation'),
  'sep-2575-server-no-log-without-loglevel': tool('test_logging_tool'),
  'sep-2575-server-sends-tools-list-changed-on-subscription': tool('test_trigger_tool_change'),
  'sep-2575-server-sends-prompts-list-changed-on-subscription': tool('test_trigger_prompt_change'),
  'sep-2549-tools-list-caching-hints': [['capability', 'tools']],
  'sep-2549-prompts-list-caching-hints': [['capability', 'prompts']],
  'sep-2549-resources-list-caching-hints': [['capability', 'resources']],
  'sep-2549-resources-templates-list-caching-hints': [['templates']],
  'sep-2549-resources-read-caching-hints': [['capability', 'resources']],
};

function needsOf(table: Readonly<Record<string, readonly Need[]>>, name: string): readonly Need[] {
  return Object.hasOwn(table, name) ? table[name]! : [];
}

/** Returns why a scenario or check does not apply to a server; undefined if it does. */
function whyNot(needs: readonly Need[], target: SuiteTarget): string | undefined {
  const unmet = needs.find((need) => !isMet(need, target));
  return unmet && `Not applicable: ${SENTENCES[unmet[0]](unmet[1] ?? '')}`;
}

const SENTENCES: Readonly<Record<Need[0], (name: string) => string>> = {
  capability: (name) => `the server does not declare ${name}.`,
  tool: (name) => `the server has no tool ${name}.`,
  prompt: (name) => `the server has no prompt ${name}.`,
  resource: (name) => `the server has no resource ${name}.`,
  template: (name) => `the server has no template ${name}.`,
  templates: () => 'the server does not list templates.',
  'header-tool': () => 'no tool has an argument in a header.',
  http: () => 'it is about HTTP, which mcp-inspect adds to this server.',
};

function isMet([kind, name = '']: Need, { capabilities, listed, isFront }: SuiteTarget): boolean {
  const has = (entries: readonly JsonObject[] | undefined, key: string): boolean =>
    entries?.some((entry) => own(entry, key) === name) ?? false;
  const met: Readonly<Record<Need[0], () => boolean>> = {
    capability: () => declares(capabilities, [name]),
    tool: () => has(listed.tools, 'name'),
    prompt: () => has(listed.prompts, 'name'),
    resource: () => has(listed.resources, 'uri'),
    template: () => has(listed.templates, 'uriTemplate'),
    templates: () => listed.templates !== undefined,
    'header-tool': () => JSON.stringify(listed.tools ?? []).includes('"x-mcp-header"'),
    http: () => !isFront,
  };
  return met[kind]();
}

const SEVERITIES: Readonly<Record<string, CheckFinding['severity']>> = { FAILURE: 'error', WARNING: 'warning' };

/** Turns the verdicts of the suite into steps of a report: one for each scenario. */
export function conformanceSteps(scenarios: readonly SuiteScenario[], target: SuiteTarget): readonly CheckStep[] {
  return scenarios.map(({ name, checks, isRequired }) => {
    const skipped = whyNot(needsOf(SCENARIO_NEEDS, name), target);
    const step = { name: `conformance ${name}`, ms: durationOf(checks), findings: [] };
    if (skipped !== undefined) return { ...step, skipped };
    const applying = checks.filter((check) => applies(check, target));
    return { ...step, findings: applying.flatMap((check) => findingOf(name, check, isRequired)) };
  });
}

function applies({ id, errorMessage = '' }: SuiteCheck, target: SuiteTarget): boolean {
  // Behind our own HTTP server, statuses are ours. On stdio, a server of both eras takes bare requests as legacy ones.
  if (target.isFront && /(?:^|-)http-|-request-meta-invalid-/.test(id)) return false;
  return !errorMessage.startsWith('Not testable') && whyNot(needsOf(CHECK_NEEDS, id), target) === undefined;
}

/** Sums up the steps of the suite in a sentence. */
export function conformanceNote(steps: readonly CheckStep[]): string {
  const skipped = steps.filter((step) => step.skipped !== undefined).length;
  const failed = steps.filter(({ findings }) => findings.some(({ severity }) => severity === 'error')).length;
  const passed = steps.length - skipped - failed;
  return `${countOf(passed, 'scenario')} passed, ${failed} failed, ${skipped} not applicable.`;
}

function findingOf(scenario: string, check: SuiteCheck, isRequired: boolean): readonly CheckFinding[] {
  const severity = Object.hasOwn(SEVERITIES, check.status) ? SEVERITIES[check.status] : undefined;
  if (!severity) return [];
  return [
    {
      rule: isRequired ? 'conformance' : 'conformance-optional',
      severity: isRequired ? severity : 'info',
      title: isRequired ? 'Official conformance suite' : 'Official conformance suite, not required',
      message: `${check.description}${check.errorMessage === undefined ? '' : `: ${check.errorMessage}`}`,
      path: `${scenario}/${check.id}`,
      frames: [],
      advice: 'This is a verdict of @modelcontextprotocol/conformance. Run it by itself for the details.',
      spec: check.spec,
    },
  ];
}

function durationOf(checks: readonly SuiteCheck[]): number {
  const times = checks.map(({ at }) => Date.parse(at)).filter(Number.isFinite);
  return times.length === 0 ? 0 : Math.max(...times) - Math.min(...times);
}

/** An address that may stand in a link: of the specification or the suite. */
const ADDRESS = /^https:\/\/(?:modelcontextprotocol\.io|github\.com)\/[\w./#-]+$/;

/** Reads the results of a scenario; [] for a file that the suite would not write. */
export function readSuiteChecks(text: string): readonly SuiteCheck[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  return (Array.isArray(parsed) ? parsed : []).filter(isObject).map((check) => {
    const word = (key: string): string | undefined => {
      const value = own(check, key);
      return typeof value === 'string' ? value : undefined;
    };
    const references = own(check, 'specReferences');
    const [first] = Array.isArray(references) ? references.filter(isObject) : [];
    const url = first ? own(first, 'url') : undefined;
    return {
      id: word('id') ?? '',
      status: word('status') ?? '',
      description: word('description') ?? word('name') ?? '',
      errorMessage: word('errorMessage'),
      spec: typeof url === 'string' && ADDRESS.test(url) ? url : undefined,
      at: word('timestamp') ?? '',
    };
  });
}

/** Returns the scenarios that the summary of the suite lists as not required. */
export function notRequired(output: string): ReadonlySet<string> {
  const [, rest = ''] = output.split('Not scored for');
  return new Set(Array.from(rest.matchAll(/^ +\S (\S+) \(/gm), ([, name]) => name!));
}
