import { type ComponentType, createContext, useContext } from 'react';
import type { Complete } from '@/components/exchange/use-complete';
import type { Edit, Path } from '@/lib/json/edit';
import type { Kind, View } from '@/lib/schema/view-types';
import type { FieldReveal } from './field-focus';
import type { FieldProblems } from './field-problems';
import type { PartVisibility } from './part-visibility';
import type { BranchMemory } from './union-branches';

/** What the input of one kind gets. The frame around it draws label, description, problems and buttons. */
export interface ControlProps<K extends Kind = Kind> {
  readonly view: View<K>;
  /** undefined is unset. null only if the view is nullable. Otherwise a value the kind can show. */
  readonly value: unknown;
  readonly path: Path;
  /** How the field is called: its property name, or `tags[0]`. */
  readonly label: string;
  readonly required: boolean;
  /** Levels of groups around it. */
  readonly depth: number;
  /** id that the label points at. */
  readonly id: string;
  /** Its name, where no label points at it. */
  readonly spoken?: string;
  readonly describedBy: string;
  readonly invalid: boolean;
  /** It shows what was sent: nothing changes it. */
  readonly readOnly?: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onBlur: () => void;
}

/** The attributes by which an input says what its frame shows. */
export function aria({
  spoken,
  describedBy,
  invalid,
  required,
  readOnly,
}: Pick<ControlProps, 'spoken' | 'describedBy' | 'invalid' | 'required' | 'readOnly'>) {
  return {
    'aria-label': spoken,
    'aria-describedby': describedBy,
    'aria-invalid': invalid || undefined,
    'aria-required': required || undefined,
    readOnly: readOnly || undefined,
  } as const;
}

/** The input of each kind. */
export type Controls = { readonly [K in Kind]: ComponentType<ControlProps<K>> };

/** What every field of one form shares. Stable while the form is shown. */
export interface FormScope {
  /** The schema that references point into. */
  readonly root: unknown;
  /** Handed down and not imported by fields: an input may hold fields itself. */
  readonly controls: Controls;
  readonly edit: (edit: Edit) => void;
  /** Sets the value at a path; undefined takes it away. */
  readonly change: (path: Path, value: unknown) => void;
  /** Which branch of each union is shown, and what the others held. */
  readonly memory: BranchMemory;
  readonly problems: FieldProblems;
  readonly reveal: FieldReveal;
  readonly sight: PartVisibility;
  /** Counts changes that did not come from the form. */
  readonly generation: number;
  /** For the strings of prompts and templates. */
  readonly complete?: Complete;
  /** It shows what was sent. */
  readonly readOnly: boolean;
}

const Context = createContext<FormScope | undefined>(undefined);

export const FormProvider = Context.Provider;

export function useForm(): FormScope {
  const scope = useContext(Context);
  if (scope === undefined) throw new Error('A field outside a form.');
  return scope;
}
