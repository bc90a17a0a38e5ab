import { Checkbox } from '@/components/ui/checkbox';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { ControlProps } from './control';
import { brief } from './ghost';

/** The one allowed value: sent or not. */
export function ConstControl({ view, value, id, describedBy, onChange }: ControlProps<'const'>) {
  return (
    <span className="inline-flex min-h-7 items-center gap-2">
      <Checkbox
        id={id}
        checked={value !== undefined}
        onChange={(checked) => onChange(checked ? view.value : undefined)}
        aria-describedby={describedBy}
      />
      <UntrustedText text={brief(view.value)} limit={120} className="font-mono text-wire" />
    </span>
  );
}
