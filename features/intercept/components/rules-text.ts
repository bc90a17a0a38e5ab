import { passingFault } from '@/features/intercept/lib/passing-filter';
import { tryParseJson } from '@/lib/json/exact';
import { withoutBom } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import type { InterceptRule } from '@/lib/wire/intercept';
import { rulesFault } from '@/lib/wire/intercept-checks';
import type { Failure } from '@/lib/wire/lifecycle';

/** Name of the exported file. */
export const RULES_FILE = 'mcp-inspect-rules.json';

/** Writes rules as a file. */
export function writeRules(rules: readonly InterceptRule[]): string {
  return `${JSON.stringify({ rules }, null, 2)}\n`;
}

/** Reads a file of rules for the page. Returns what is wrong and where, instead. */
export function readRules(text: string): readonly InterceptRule[] | Failure {
  const parsed = tryParseJson(withoutBom(text));
  if (!parsed.ok) return badRules(`The file is not JSON: ${parsed.message}`);
  const rules = isObject(parsed.value) ? own(parsed.value, 'rules') : undefined;
  if (!Array.isArray(rules)) return badRules('The file is not a JSON object with a list of `rules`.');
  const answering = rules.findIndex(answersFromFile);
  if (answering >= 0) {
    const message = `\`rules\`[${answering}].action answers from a recording, and a page can’t read files.`;
    return { ...badRules(message), advice: 'Start mcp-inspect with `--intercept FILE` to use this file.' };
  }
  const fault = rulesFault(rules, 'page');
  if (fault !== undefined) return badRules(`\`rules\`${fault}.`);
  const valid = rules as readonly InterceptRule[];
  for (const [index, { when = '' }] of valid.entries()) {
    const wrong = passingFault(when);
    if (wrong) return badRules(`\`rules\`[${index}].when: ${wrong.message}`);
  }
  return valid;
}

function answersFromFile(rule: unknown): boolean {
  const action = isObject(rule) ? own(rule, 'action') : undefined;
  return isObject(action) && own(action, 'do') === 'answer-from';
}

/** Returns true if a file of these rules can only be imported by a page: `--intercept` takes no rules that hold. */
export function isForPagesOnly(rules: readonly InterceptRule[]): boolean {
  return rules.some(({ action }) => action.do === 'hold');
}

function badRules(message: string): Failure {
  return { code: 'bad-rules', message, advice: 'Fix the file and import it again.' };
}
