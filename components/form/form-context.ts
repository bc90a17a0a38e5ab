import { type ComponentType, createContext, useContext } from 'react';
import type { Path } from '@/lib/schema/document';
import type { Kind } from '@/lib/schema/shape';
import type { ControlProps } from './control';

/** The input of each kind. */
export type Controls = { readonly [K in Kind]: ComponentType<ControlProps<K>> };

/** What every field of one form shares. Stable while the form is shown. */
export interface FormScope {
  /** The schema that references point into. */
  readonly root: unknown;
  /** Handed down and not imported by fields: an input may hold fields itself. */
  readonly controls: Controls;
  /** Sets the value at a path; undefined takes it away. */
  readonly change: (path: Path, value: unknown) => void;
}

const Context = createContext<FormScope | undefined>(undefined);

export const FormProvider = Context.Provider;

export function useForm(): FormScope {
  const scope = useContext(Context);
  if (scope === undefined) throw new Error('A field outside a form.');
  return scope;
}
