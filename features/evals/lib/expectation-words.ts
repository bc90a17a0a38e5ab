import { countOf } from '@/lib/wire/format';
import type { Expectation, ExpectedCall } from './eval-case';
import { shownValue, testWords } from './value-test';

/** Returns what a case expects, a phrase each. */
export function expectationWords({ calls, forbidden, text, mostCalls }: Expectation): readonly string[] {
  return [
    ...calls.map(callWords),
    ...forbidden.map((name) => `never ${name}`),
    ...text.map((test) => `says ${typeof test.contains === 'string' ? shownValue(test.contains) : testWords(test)}`),
    ...(mostCalls === undefined ? [] : [mostCalls === 0 ? 'no call' : `at most ${countOf(mostCalls, 'call')}`]),
  ];
}

function callWords({ tool, arguments: args, schema, where }: ExpectedCall): string {
  const about = [
    ...(args ? [shownValue(args)] : []),
    ...where.map(({ path, test }) => `${path || 'arguments'}: ${testWords(test)}`),
    ...(schema ? ['arguments of a schema'] : []),
  ];
  return about.length === 0 ? tool : `${tool} with ${about.join(', ')}`;
}
