import { Checkbox } from '@/components/ui/checkbox';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { sameJson } from '@/lib/schema/json';
import { aria, type ControlProps } from './control';
import { brief } from './ghost';

/** The one allowed value: sent or not. */
export function ConstControl(props: ControlProps<'const'>) {
  const { view, value, id, readOnly, onChange } = props;
  return (
    <span className="inline-flex min-h-7 items-center gap-2">
      <Checkbox
        id={id}
        checked={value !== undefined && sameJson(value, view.value)}
        onChange={(checked) => onChange(checked ? view.value : undefined)}
        disabled={readOnly}
        {...aria(props)}
      />
      <UntrustedText text={brief(view.value)} limit={120} className="font-mono text-wire" />
    </span>
  );
}
