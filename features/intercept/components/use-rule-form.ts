import { useEffect } from 'react';
import { useDraft } from '@/lib/hooks/drafts';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { type OpenForm, type OpenForms, withChanges, withForm } from './open-forms';
import { freeName } from './presets';
import { type RuleDraft, ruleDraft } from './rule-draft';
import { WANTED_RULE } from './wanted-rule';

const NONE: OpenForms = [];

/** The form of a rule, which survives a reload of the tab. */
export interface RuleFormState {
  readonly form: OpenForm | undefined;
  /** Forms with typed text that come back when this one closes. */
  readonly aside: OpenForms;
  /** `replaces`: name of the rule to edit; absent for a new one. */
  readonly open: (draft: RuleDraft, replaces?: string) => void;
  readonly change: (changes: Partial<RuleDraft>) => void;
  readonly close: () => void;
}

/** Returns the open form. Opens one for a rule that was asked for elsewhere. `names`: those of all rules. */
export function useRuleForm(log: Log, names: ReadonlySet<string>): RuleFormState {
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const [forms, setForms] = useDraft(`intercept forms ${server}`, NONE);
  const wanted = WANTED_RULE.use(log.whole);
  useEffect(() => {
    if (!wanted) return;
    WANTED_RULE.set(log.whole, undefined);
    setForms((current) => withForm(current, ruleDraft({ ...wanted, name: freeName(wanted.name, names) })));
  }, [wanted, log, setForms, names]);
  return {
    form: forms.at(-1),
    aside: forms.slice(0, -1),
    open: (draft, replaces) => setForms((current) => withForm(current, draft, replaces)),
    change: (changes) => setForms((current) => withChanges(current, changes)),
    close: () => setForms((current) => current.slice(0, -1)),
  };
}
