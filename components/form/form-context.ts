import { type ComponentType, createContext, useContext } from 'react';
import type { Complete } from '@/components/exchange/use-complete';
import type { Path } from '@/lib/schema/document';
import type { Edit } from '@/lib/schema/json-edit';
import type { Kind } from '@/lib/schema/shape';
import type { BranchMemory } from './branch-memory';
import type { ControlProps } from './control';
import type { ProblemBoard } from './problem-board';
import type { Reveal } from './reveal';
import type { Sight } from './sight';

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
  readonly problems: ProblemBoard;
  readonly reveal: Reveal;
  readonly sight: Sight;
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
