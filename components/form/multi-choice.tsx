import { Checkbox } from '@/components/ui/checkbox';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { sameJson } from '@/lib/schema/json';
import type { Choice } from '@/lib/schema/shape';
import { choiceLabel } from './choice-label';
import type { ControlProps } from './control';

interface MultiChoiceProps extends ControlProps<'array'> {
  readonly items: readonly unknown[];
  readonly options: readonly Choice[];
}

/** Some of a few values: a check box each. They are sent in the order they were checked. */
export function MultiChoice({ items, options, value, id, label, describedBy, readOnly, onChange }: MultiChoiceProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: nested fieldsets are slow to lay out
    <div role="group" aria-label={label} aria-describedby={describedBy} className="flex min-w-0 flex-wrap gap-x-4">
      {options.map((option, index) => (
        <Checkbox
          // biome-ignore lint/suspicious/noArrayIndexKey: choices do not change
          key={index}
          id={index === 0 && value === undefined ? `${id}-first` : undefined}
          disabled={readOnly}
          checked={items.some((item) => sameJson(item, option.value))}
          onChange={(checked) =>
            onChange(checked ? [...items, option.value] : items.filter((item) => !sameJson(item, option.value)))
          }
          label={<UntrustedText text={choiceLabel(option, options)} limit={120} />}
        />
      ))}
    </div>
  );
}
