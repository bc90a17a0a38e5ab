import { expect, test } from 'vitest';
import { CODE_KINDS } from './code-kinds';
import { codeRuns } from './code-runs';

/** Returns the runs that have a colour, as `kind:text`. */
function coloured(code: string, ...names: string[]): readonly string[] | undefined {
  const runs = codeRuns(code, names);
  if (runs === undefined) return undefined;
  const found: string[] = [];
  let from = 0;
  for (let at = 0; at < runs.length; at += 2) {
    const kind = CODE_KINDS[runs[at + 1]!]!;
    if (kind !== 'plain') found.push(`${kind}:${code.slice(from, runs[at]).trim()}`);
    from = runs[at]!;
  }
  expect(from).toBe(code.length);
  return found;
}

test.each([
  ['python', '# sum\ndef add(a):\n  return "x"', ['comment:# sum', 'keyword:def', 'keyword:return', 'string:"x"']],
  ['application/javascript', 'const a = 1; // b', ['keyword:const', 'value:1', 'comment:// b']],
  ['text/x-c++src', 'int main() {}', ['value:int']],
  ['yml', 'a: "b"', ['string:"b"']],
])('%s', (name, code, runs) => {
  expect(coloured(code, name)).toEqual(runs);
});

test('takes the first name that is a language', () => {
  expect(coloured('def', 'octet-stream', 'py')).toEqual(['keyword:def']);
  expect(coloured('def', 'nothing', '__proto__')).toBeUndefined();
  expect(coloured('# a', 'markdown')).toBeUndefined();
});

test('attack: bounds the number of runs', () => {
  expect(codeRuns('"a" 1 '.repeat(50_000), ['json'])!.length).toBeLessThanOrEqual(16_000);
});
