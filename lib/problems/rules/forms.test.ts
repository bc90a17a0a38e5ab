import { describe, expect, test } from 'vitest';
import { got, sent } from '@/lib/store/test-frames';
import { ask, legacy, modern, problemsIn } from '../test-sessions';

const client = { elicitation: { form: {}, url: {} } };
const asking = (params: object) => [
  ...legacy({ client }),
  got({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'm', ...params } }),
];
const form = (field: object, required: readonly string[] = []) =>
  asking({ requestedSchema: { type: 'object', properties: { a: field }, required } });

describe('a form', () => {
  const faults = (field: object, required?: readonly string[]) =>
    problemsIn(form(field, required))
      .filter(({ rule }) => rule === 'form-contradiction')
      .map(({ message }) => message);
  const choices = { type: 'array', items: { type: 'string', enum: ['x', 'y'] } };
  const titled = { type: 'string', oneOf: [{ const: 'x', title: 'X' }] };

  test.each<[string, object, string[]]>([
    ['bounds that are equal', { type: 'number', minimum: 1, maximum: 1, default: 1 }, []],
    ['bounds that cross', { type: 'number', minimum: 2, maximum: 1 }, ['"a": minimum is 2, but maximum is 1.']],
    [
      'lengths that cross',
      { type: 'string', minLength: 2, maxLength: 1 },
      ['"a": minLength is 2, but maxLength is 1.'],
    ],
    [
      'a default beyond a bound',
      { type: 'integer', maximum: 1, default: 2 },
      ['"a": the default is 2, which is above the maximum.'],
    ],
    [
      'a fraction as default of an integer',
      { type: 'integer', default: 1.5 },
      ['"a": the default is 1.5, which is not an integer.'],
    ],
    ['a default of emoji', { type: 'string', maxLength: 2, default: '😀😀' }, []],
    [
      'a default that is too short',
      { type: 'string', minLength: 2, default: 'x' },
      ['"a": the default is "x", which is below the minimum.'],
    ],
    ['a default among titled values', { ...titled, default: 'x' }, []],
    ['a title as default', { ...titled, default: 'X' }, ['"a": the default is "X", which cannot be chosen.']],
    ['several defaults', { ...choices, default: ['y', 'x'] }, []],
    [
      'a default outside the choices',
      { ...choices, default: ['z'] },
      ['"a": the default is ["z"], which cannot be chosen.'],
    ],
    [
      'too many defaults',
      { ...choices, maxItems: 1, default: ['x', 'y'] },
      ['"a": the default is ["x","y"], which is above the maximum.'],
    ],
    ['nothing to choose', { type: 'string', enum: [] }, ['"a": there is nothing to choose.']],
    ['a choice twice', { type: 'string', enum: ['x', 'x'] }, ['"a": "x" can be chosen twice.']],
    ['more names than values', { type: 'string', enum: ['x'], enumNames: ['X', 'Y'] }, ['"a": 1 value has 2 names.']],
  ])('%s', (_what, field, problems) => {
    expect(faults(field)).toEqual(problems);
  });

  test('requires only what it has', () => {
    expect(faults({ type: 'boolean' }, ['a'])).toEqual([]);
    expect(faults({ type: 'boolean' }, ['a', 'b'])).toEqual(['"b" is required, but not in properties.']);
  });
});

describe('an answer', () => {
  const url = { mode: 'url', url: 'https://a.example', elicitationId: 'e' };
  const answered = (asked: readonly ReturnType<typeof got>[], answer: object) =>
    problemsIn([...asked, sent({ jsonrpc: '2.0', id: 1, result: answer })])
      .filter(({ rule }) => rule === 'form-answer')
      .map(({ message }) => message);
  const name = form({ type: 'string' }, ['a']);

  test.each<[string, readonly ReturnType<typeof got>[], object, string[]]>([
    ['accepts a form', name, { action: 'accept', content: { a: 'x' } }, []],
    ['declines', name, { action: 'decline' }, []],
    ['accepts a URL', asking(url), { action: 'accept' }, []],
    ['accepts a form without required fields', form({ type: 'string' }), { action: 'accept' }, []],
    ['accepts without content', name, { action: 'accept' }, ['The form requires ["a"], but content is missing.']],
    [
      'cancels with content',
      name,
      { action: 'cancel', content: { a: 'x' } },
      ['The action is "cancel", but content is set.'],
    ],
    [
      'accepts a URL with content',
      asking(url),
      { action: 'accept', content: {} },
      ['The action is "accept" for a URL, but content is set.'],
    ],
  ])('%s', (_what, asked, answer, problems) => {
    expect(answered(asked, answer)).toEqual(problems);
  });

  test('is judged in a modern request too', () => {
    const inputResponses = { k: { action: 'decline', content: {} } };
    const found = problemsIn([...modern(), ask(1, 'tools/call', { name: 'a', inputResponses })]);
    expect(found).toMatchObject([{ rule: 'form-answer', path: ['params', 'inputResponses', 'k', 'content'] }]);
  });
});
