import { PROTOCOL_RULES } from '@/lib/problems/rules/registry';

/** Ids of the rules that only `check` has, beside those of docs/rules.md. docs/check.md describes them. */
export const CHECK_RULES = [
  'answer-swapped',
  'any-origin-accepted',
  'argument-description',
  'argument-name-host',
  'bad-params-accepted',
  'budget-p95',
  'budget-result',
  'budget-tokens',
  'budget-tools',
  'budget-unmeasured',
  'certificate-expires',
  'check-timeout',
  'completion-failed',
  'conformance',
  'conformance-failed',
  'conformance-optional',
  'connection-failed',
  'cors-any-origin',
  'cors-credentials',
  'definitions-size',
  'dns-rebinding',
  'foreign-origin-accepted',
  'list-failed',
  'list-shrank',
  'listens-beyond-loopback',
  'memory-grows',
  'no-answer',
  'no-encryption',
  'pin-broken',
  'pin-changed',
  'pin-missing',
  'pin-new',
  'pin-skipped',
  'ping-failed',
  'prompt-argument-ignored',
  'prompt-failed',
  'prompt-values-failed',
  'read-only-differs',
  'resource-unreadable',
  'sample-rejected',
  'schema-reference',
  'schema-top-level-host',
  'schema-value',
  'server-floods',
  'server-lost',
  'slow-call',
  'slow-schema',
  'stack-trace',
  'template-unreadable',
  'tool-count-host',
  'tool-description',
  'tool-name-host',
  'tool-name-shared',
  'unknown-cursor-accepted',
  'unknown-method-accepted',
  'unknown-method-code',
  'unknown-name-accepted',
  'unreadable',
  'valid-arguments-refused',
  'wrong-arguments-accepted',
  'wrong-arguments-hang',
] as const;

/**
 * Matches the rules of facts about hosts. Their ids are not loaded with every settings file; a misspelt one turns
 * nothing off.
 */
export const HOST_RULE = /^host-[a-z0-9-]+$/;

/** Ids of all rules whose problems `check` reports, in alphabetical order. */
export function knownRules(): readonly string[] {
  return [...new Set([...PROTOCOL_RULES.map(({ id }) => id), ...CHECK_RULES])].sort();
}
