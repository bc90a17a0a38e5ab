import { parseBounded, withoutBom } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { INTERCEPT_LIMITS, type InterceptRule } from '@/lib/wire/intercept';
import { rulesFault } from '@/lib/wire/intercept-checks';
import { ActiveRule } from './active-rule';

/** A file of rules, read. */
export interface RulesFile {
  readonly rules: readonly InterceptRule[];
  /** Paths that `answer-from` names, as written, each once. */
  readonly recordings: readonly string[];
}

/** Reads a file of rules. Returns why it can’t be used, as the end of a sentence, if it is invalid. */
export function readRulesFile(text: string): RulesFile | string {
  let parsed: unknown;
  try {
    parsed = parseBounded(withoutBom(text));
  } catch (error) {
    return `it is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`;
  }
  if (!isObject(parsed)) return 'it is not a JSON object with `rules`';
  const unknown = Object.keys(parsed).find((key) => key !== '$schema' && key !== 'rules');
  if (unknown !== undefined) return `\`${unknown.slice(0, 100)}\` is unknown: it may have \`rules\``;
  const given = own(parsed, 'rules');
  const fault = rulesFault(given, 'file');
  if (fault !== undefined) return `rules${fault}`;
  const rules = given as readonly InterceptRule[];
  for (const rule of rules) {
    try {
      new ActiveRule(rule, {});
    } catch (error) {
      return (error as Error).message.replace(/^Rule/, 'rule').replace(/\.$/, '');
    }
  }
  const held = rules.find(({ action }) => action.do === 'hold');
  if (held)
    return `rule “${held.name}” holds messages, and a file can’t release them. Use \`delay\`, or set it on the page`;
  const files = rules.flatMap(({ action }) => (action.do === 'answer-from' ? [action.file] : []));
  return { rules, recordings: [...new Set(files)] };
}

const action = (name: string, members: Readonly<Record<string, object>> = {}, required = Object.keys(members)) => ({
  type: 'object',
  additionalProperties: false,
  properties: { do: { const: name }, ...members },
  required: ['do', ...required],
});

const JSON_TEXT = { type: 'string', description: 'JSON text.' };

/** Returns the JSON Schema of the file, which editors use. */
export function rulesSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Rules of mcp-inspect that intercept messages',
    type: 'object',
    additionalProperties: false,
    required: ['rules'],
    properties: {
      $schema: { type: 'string' },
      rules: {
        description: 'The first rule that takes a message counts.',
        type: 'array',
        maxItems: INTERCEPT_LIMITS.rules,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'action'],
          properties: {
            name: { type: 'string', minLength: 1, maxLength: INTERCEPT_LIMITS.nameChars },
            direction: { description: 'The receiver. Without it: both.', enum: ['to-server', 'to-client'] },
            when: {
              description: 'A filter of the message log. Without it: every message.',
              type: 'string',
              maxLength: INTERCEPT_LIMITS.whenChars,
            },
            after: { description: 'Skips this many matching messages first.', type: 'integer', minimum: 0 },
            every: { description: 'Takes each nth matching message only.', type: 'integer', minimum: 1 },
            times: { description: 'Takes at most this many messages.', type: 'integer', minimum: 1 },
            action: {
              oneOf: [
                action('delay', { ms: { type: 'integer', minimum: 0, maximum: INTERCEPT_LIMITS.delayMs } }),
                action('drop'),
                action('duplicate', { copies: { type: 'integer', minimum: 1, maximum: INTERCEPT_LIMITS.copies } }, []),
                action('replace', { text: { type: 'string' } }),
                action('error', { code: { type: 'integer' }, message: { type: 'string' }, data: JSON_TEXT }, [
                  'code',
                  'message',
                ]),
                action('result', { result: JSON_TEXT }),
                action('answer-from', {
                  file: { type: 'string', description: 'A recording, relative to this file.' },
                }),
                action('cut'),
              ],
            },
          },
        },
      },
    },
  };
}
