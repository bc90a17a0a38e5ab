import { type ComponentType, useState } from 'react';
import type { View } from '@/lib/schema/shape';
import { accepts } from '@/lib/schema/values';
import type { ControlProps } from './control';
import { useForm } from './form-context';

/**
 * Whether a value is shown as JSON because its kind cannot show it. It stays so while the box has the focus, which swapping the
 * input would lose; `release` is for when it loses it.
 */
export function useBoxed(view: View, value: unknown): { readonly boxed: boolean; readonly release: () => void } {
  const fits = accepts(view, value);
  const [held, setHeld] = useState(false);
  if (!fits && !held) setHeld(true);
  return { boxed: held || !fits, release: () => fits && setHeld(false) };
}

/** The input for a value, by the kind of its view, or as JSON. */
export function ValueControl({ boxed, ...props }: ControlProps & { readonly boxed: boolean }) {
  const { view } = props;
  const { controls } = useForm();
  const Control = controls[boxed ? 'any' : view.kind] as ComponentType<ControlProps>;
  const shown = boxed && view.kind !== 'any' ? ({ ...view, kind: 'any', because: undefined } as View<'any'>) : view;
  return <Control {...props} view={shown} />;
}
