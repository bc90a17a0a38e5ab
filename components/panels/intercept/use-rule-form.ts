import { useEffect } from 'react';
import { useDraft } from '@/lib/hooks/drafts';
import { WANTED_RULE } from '@/lib/hooks/interceptions';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { draftOf, type RuleDraft } from './rule-draft';

/** The open form of a rule. */
interface OpenForm {
  readonly draft: RuleDraft;
  /** Name of the rule that it edits; absent for a new one. */
  readonly replaces?: string;
}

/** Returns the open form, which survives a reload of the tab, and a function that opens another or closes it. */
export function useRuleForm(log: Log): [OpenForm | undefined, (form: OpenForm | undefined) => void] {
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const [form, setForm] = useDraft<OpenForm | undefined>(`intercept form ${server}`, undefined);
  const wanted = WANTED_RULE.use(log.whole);
  useEffect(() => {
    if (!wanted) return;
    WANTED_RULE.set(log.whole, undefined);
    setForm({ draft: draftOf(wanted) });
  }, [wanted, log, setForm]);
  return [form, setForm];
}
