import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { CompleteArgument } from '@/components/exchange/use-complete';
import type { Edit, JsonPath } from '@/lib/json/edit';
import type { FieldKind, View } from '@/lib/schema/view-types';
import type { FieldProblem, FieldProblems, FieldReveal, PartVisibility } from './form-state';
import type { BranchMemory } from './union-branches';

/** The props of one kind's input. The frame around it shows label, description, problems and buttons. */
export interface ControlProps<K extends FieldKind = FieldKind> {
  readonly view: View<K>;
  /** undefined if unset, null only if the view is nullable, otherwise a value that the kind can show. */
  readonly value: unknown;
  readonly path: JsonPath;
  /** The field's name: a property name, or `tags[0]`. */
  readonly label: string;
  readonly required: boolean;
  /** Number of unset groups around it, one in another. */
  readonly depth: number;
  /** id that the label refers to. */
  readonly id: string;
  /** Accessible name, if no label refers to it. */
  readonly accessibleName?: string;
  readonly describedBy: string;
  readonly invalid: boolean;
  /** The input shows a sent value, which can't be changed. */
  readonly readOnly?: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onBlur: () => void;
}

/** Returns the ARIA attributes that connect an input with its frame. */
export function aria({
  accessibleName,
  describedBy,
  invalid,
  required,
  readOnly,
}: Pick<ControlProps, 'accessibleName' | 'describedBy' | 'invalid' | 'required' | 'readOnly'>) {
  return {
    'aria-label': accessibleName,
    'aria-describedby': describedBy,
    'aria-invalid': invalid || undefined,
    'aria-required': required || undefined,
    readOnly: readOnly || undefined,
  } as const;
}

/** The input of each kind. */
export type Controls = { readonly [K in FieldKind]: ComponentType<ControlProps<K>> };

/** The props of a field's frame, plain or group. */
export interface FieldViewProps {
  readonly id: string;
  /** The path as a string, to find the field in the page. */
  readonly fieldKey: string;
  readonly path: JsonPath;
  readonly label: string;
  readonly view: View;
  readonly value: unknown;
  readonly required: boolean;
  readonly depth: number;
  readonly problems: readonly FieldProblem[];
  readonly note: string | undefined;
  readonly bare: boolean;
  /** True for array items, which are removed and moved instead of unset. */
  readonly item: boolean;
  readonly last: boolean;
  /** True if the user chose to edit the value as JSON. */
  readonly raw: boolean;
  readonly onRaw: (raw: boolean) => void;
  readonly onSet: (value: unknown) => void;
  /** undefined while the field is not set. */
  readonly onUnset: (() => void) | undefined;
  /** Toggles between null and a value. */
  readonly onNull: () => void;
  /** Sets the kind's simplest value. */
  readonly onStart: () => void;
  readonly children: ReactNode;
}

/** State shared by all fields of a form. Stable while the form is shown. */
export interface FormScope {
  /** The whole schema, in which `$ref`s resolve. */
  readonly root: unknown;
  /** Passed down instead of imported, since inputs contain fields and fields contain inputs. */
  readonly controls: Controls;
  readonly edit: (edit: Edit) => void;
  /** Sets the value at a path; undefined removes it. */
  readonly change: (path: JsonPath, value: unknown) => void;
  /** The shown branch of each union, and drafts of the others. */
  readonly memory: BranchMemory;
  readonly problems: FieldProblems;
  readonly reveal: FieldReveal;
  readonly visibility: PartVisibility;
  /** Counts changes that did not come from the form. */
  readonly generation: number;
  /** Completes strings of prompts and templates. */
  readonly complete?: CompleteArgument;
  /** The form shows a sent document. */
  readonly readOnly: boolean;
  /** Titles are labels, and booleans are checkboxes. */
  readonly titles: boolean;
  /** Whether a further field of the whole document is asked for; undefined if a button asks for it. */
  readonly addsField: boolean | undefined;
}

const Context = createContext<FormScope | undefined>(undefined);

export const FormProvider = Context.Provider;

export function useForm(): FormScope {
  const scope = useContext(Context);
  if (scope === undefined) throw new Error('A field must be inside a form.');
  return scope;
}
