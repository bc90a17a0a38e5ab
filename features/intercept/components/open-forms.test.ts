import { expect, test } from 'vitest';
import { type OpenForms, withChanges, withForm } from './open-forms';
import { NEW_RULE } from './rule-draft';

const draft = (name: string) => ({ ...NEW_RULE, name });
const names = (forms: OpenForms) => forms.map((form) => form.draft.name);

test('a form without typed text gives way to another', () => {
  expect(names(withForm(withForm([], draft('a')), draft('b')))).toEqual(['b']);
});

test('a form with typed text is put aside', () => {
  const typed = withChanges(withForm([], draft('a')), { when: 'tool:echo' });
  const forms = withForm(typed, draft('b'));
  expect(names(forms)).toEqual(['a', 'b']);
  expect(forms[0]!.draft.when).toBe('tool:echo');
});

test('a rule is edited in one form, which keeps what was typed', () => {
  const typed = withChanges(withForm([], draft('a'), 'a'), { when: 'tool:echo' });
  const forms = withForm(withChanges(withForm(typed, draft('b')), { when: 'x' }), draft('a'), 'a');
  expect(names(forms)).toEqual(['b', 'a']);
  expect(forms[1]!.draft.when).toBe('tool:echo');
});

test('changes without a form do nothing', () => {
  expect(withChanges([], { when: 'x' })).toEqual([]);
});
