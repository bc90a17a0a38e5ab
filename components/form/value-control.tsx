import { type ComponentType, useState } from 'react';
import type { View } from '@/lib/schema/shape';
import { accepts } from '@/lib/schema/values';
import type { ControlProps } from './control';
import { useForm } from './form-context';

/** The input for a value, chosen by the kind of its view; as JSON if the kind cannot show the value, or on request. */
export function ValueControl({ raw = false, ...props }: ControlProps & { readonly raw?: boolean }) {
  const { view, value, onBlur } = props;
  const { controls } = useForm();
  const fits = accepts(view, value);
  // Once a value is shown as JSON it stays so while the box has the focus: swapping the input would lose it.
  const [asJson, setAsJson] = useState(false);
  if (!fits && !asJson) setAsJson(true);
  const boxed = raw || asJson || !fits;
  const Control = controls[boxed ? 'any' : view.kind] as ComponentType<ControlProps>;
  return (
    <Control
      {...props}
      view={boxed && view.kind !== 'any' ? ({ ...view, kind: 'any', because: undefined } as View<'any'>) : view}
      onBlur={() => {
        if (fits) setAsJson(false);
        onBlur();
      }}
    />
  );
}
