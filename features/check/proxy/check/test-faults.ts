import type { ERAS } from './test-check';

/** Faults of lists and messages that faulty-server.mjs can have, and the rule that finds each. */
export const LIST_FAULTS: Readonly<Record<string, string>> = {
  'tool-without-schema': 'field-missing',
  'tool-schema-invalid': 'tool-schema',
  'tool-schema-not-object': 'field-value',
  'tool-schema-null': 'field-type',
  'tool-ref': 'tool-schema',
  'tool-anchor': 'schema-reference',
  'tool-name': 'tool-name',
  'tool-name-dot': 'tool-name-host',
  'tool-duplicate': 'duplicate-entry',
  'tool-undescribed': 'tool-description',
  'tool-description-type': 'field-type',
  'tool-unsatisfiable': 'sample-rejected',
  'tool-default': 'schema-value',
  'tool-argument-name': 'argument-name-host',
  'tool-root-union': 'schema-top-level-host',
  'tool-icon': 'icon-address',
  'tool-annotations': 'field-type',
  'tools-many': 'tool-count-host',
  'resource-uri': 'uri-syntax',
  'resource-without-name': 'field-missing',
  'prompt-arguments': 'field-type',
  'prompt-duplicate': 'duplicate-entry',
  template: 'uri-syntax',
  jsonrpc: 'jsonrpc-version',
  both: 'result-and-error',
  twice: 'second-answer',
  'list-fails': 'list-failed',
  'list-hangs': 'no-answer',
  'list-exits': 'server-lost',
  'list-not-array': 'field-type',
  'cursor-loop': 'cursor-loop',
  'cursor-type': 'field-type',
  'stray-output': 'stdout-junk',
  flood: 'server-floods',
  'unknown-notification': 'method-unknown',
  'unknown-id': 'unknown-id',
  progress: 'progress-unknown-token',
  'log-undeclared': 'notification-undeclared',
  'invalid-utf8': 'invalid-utf8',
  'request-undeclared': 'capability-undeclared',
  'id-type': 'id-type-changed',
};

/** Faults of lists and messages that one server can have at once. */
export const TOGETHER_FAULTS: Readonly<Record<string, string>> = {
  'tool-meta-key': 'meta-key',
  'resource-mime-type': 'mime-type',
  'resource-size': 'field-type',
  'resource-priority': 'field-range',
  'resource-modified': 'timestamp',
  'notification-with-id': 'notification-with-id',
  'request-without-id': 'request-without-id',
  'wrong-direction': 'method-direction',
  'params-array': 'params-type',
  'cancels-unknown': 'cancel-unknown',
  'id-null': 'id-type',
  batch: 'batch',
  'byte-order-mark': 'byte-order-mark',
};

/** Faults that only bad input shows, and the step that shows them. */
export const SURVIVAL_FAULTS: Readonly<Record<string, readonly [rule: string, step: string]>> = {
  'unknown-tool': ['unknown-name-accepted', 'a tool, resource and prompt that do not exist'],
  'unknown-prompt': ['unknown-name-accepted', 'a tool, resource and prompt that do not exist'],
  'unknown-resource': ['unknown-name-accepted', 'a tool, resource and prompt that do not exist'],
  'mixes-answers': ['answer-swapped', 'concurrent requests'],
  'contents-without-uri': ['field-missing', 'concurrent requests'],
  'params-hang': ['no-answer', 'bad parameters'],
  'params-exit': ['server-lost', 'bad parameters'],
  'params-accepted': ['bad-params-accepted', 'bad parameters'],
  'unknown-hang': ['no-answer', 'unknown method'],
  'unknown-exit': ['server-lost', 'unknown method'],
  'unknown-accepted': ['unknown-method-accepted', 'unknown method'],
  'unknown-code': ['unknown-method-code', 'unknown method'],
  'cancel-exits': ['server-lost', 'cancellation of a finished request'],
  'huge-exits': ['server-lost', 'huge message'],
  'json-exits': ['server-lost', 'invalid JSON'],
  'json-hangs': ['no-answer', 'invalid JSON'],
  'completion-fails': ['completion-failed', 'complete arguments'],
  'completion-values': ['field-type', 'complete arguments'],
  'completion-total': ['completion-total', 'complete arguments'],
  ...(process.platform === 'linux' && { leaks: ['memory-grows', 'memory over many requests'] as const }),
};

/** Faults that only one era has, or that another rule finds there. */
export const OF_ERA: Readonly<Record<keyof typeof ERAS, Readonly<Record<string, string>>>> = {
  legacy: { 'server-version': 'field-missing', 'tool-output-not-object': 'field-value' },
  modern: {
    'result-type-missing': 'result-type-missing',
    'result-type-unknown': 'result-type-unknown',
    'cache-hint-missing': 'cache-hint-missing',
    'cache-scope': 'field-value',
    'tool-header': 'tool-header',
    'log-undeclared': 'log-not-asked-for',
    'request-undeclared': 'server-request',
  },
};

/** Faults that only calls show. */
export const CALL_FAULTS: Readonly<Record<string, string>> = {
  'call-lenient': 'wrong-arguments-accepted',
  'call-exits-on-wrong': 'server-lost',
  'call-hangs-on-wrong': 'wrong-arguments-hang',
  'call-trace': 'stack-trace',
  'call-refuses': 'valid-arguments-refused',
  'call-random': 'read-only-differs',
  'call-content': 'field-missing',
  'call-block': 'field-value',
  'call-image': 'field-type',
  'output-missing': 'output-missing',
  'output-mismatch': 'output-mismatch',
  'progress-falls': 'progress-not-increasing',
  'progress-late': 'progress-after-end',
  'resource-unreadable': 'resource-unreadable',
  'prompt-fails': 'prompt-failed',
  'prompt-values': 'prompt-values-failed',
  'prompt-lenient': 'prompt-argument-ignored',
  'prompt-role': 'field-value',
  'prompt-messages': 'field-type',
  'template-unreadable': 'template-unreadable',
  'call-mixes': 'answer-swapped',
};

/** A fault, the rule that must find it, and whether tools have to be called for that. */
export interface SeededFault {
  readonly fault: string;
  readonly rule: string;
  readonly isOfCalls: boolean;
}

/** Returns every fault that a server of an era can have. */
export function seededFaults(era: keyof typeof ERAS): readonly SeededFault[] {
  const survival = Object.entries(SURVIVAL_FAULTS).map(([fault, [rule]]) => [fault, rule] as const);
  const plain = { ...LIST_FAULTS, ...TOGETHER_FAULTS, ...Object.fromEntries(survival), ...OF_ERA[era] };
  const of = (faults: Readonly<Record<string, string>>, isOfCalls: boolean) =>
    Object.entries(faults).map(([fault, rule]) => ({ fault, rule, isOfCalls }));
  return [...of(plain, false), ...of(CALL_FAULTS, true)];
}
