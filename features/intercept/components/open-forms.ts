import type { RuleDraft } from './rule-draft';

/** The open form of a rule. */
export interface OpenForm {
  readonly draft: RuleDraft;
  /** The draft as the form was opened. */
  readonly from: RuleDraft;
  /** Name of the rule that it edits; absent for a new one. */
  readonly replaces?: string;
}

/** Forms with typed text that another form took the place of. More are not to be expected from a person. */
const MOST_ASIDE = 20;

/** The forms of a page, the open one last. The others have typed text, and come back when it closes. */
export type OpenForms = readonly OpenForm[];

/** Opens a form. The one before is put aside if the user has typed into it. */
export function withForm(forms: OpenForms, draft: RuleDraft, replaces?: string): OpenForms {
  const open = forms.at(-1);
  const aside = open && !isTyped(open) ? forms.slice(0, -1) : forms;
  const same = replaces === undefined ? undefined : aside.find((form) => form.replaces === replaces);
  // A rule has one form, with what was typed there.
  const next = same ?? { draft, from: draft, ...(replaces !== undefined && { replaces }) };
  return [...aside.filter((form) => form !== same).slice(-MOST_ASIDE), next];
}

/** Changes the draft of the open form. */
export function withChanges(forms: OpenForms, changes: Partial<RuleDraft>): OpenForms {
  const open = forms.at(-1);
  return open ? [...forms.slice(0, -1), { ...open, draft: { ...open.draft, ...changes } }] : forms;
}

function isTyped({ draft, from }: OpenForm): boolean {
  return (Object.keys(draft) as (keyof RuleDraft)[]).some((field) => draft[field] !== from[field]);
}
