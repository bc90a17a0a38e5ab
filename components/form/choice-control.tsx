import { Select } from '@/components/ui/select';
import { visibleText } from '@/components/ui/visible-text';
import { sameJson } from '@/lib/schema/json';
import type { ControlProps } from './control';
import { brief, ghostText } from './ghost';

const UNSET = 'unset';

/** One of some values of any type, or unset. Values are told apart by where they stand, so `1` and `"1"` stay two. */
function Choice({
  options,
  view,
  value,
  id,
  describedBy,
  invalid,
  onChange,
}: Omit<ControlProps, 'path'> & { readonly options: readonly unknown[] }) {
  const all = view.nullable ? [...options, null] : options;
  const index = value === undefined ? -1 : all.findIndex((option) => sameJson(option, value));
  return (
    <Select
      id={id}
      value={index < 0 ? UNSET : String(index)}
      onChange={(chosen) => onChange(chosen === UNSET ? undefined : all[Number(chosen)])}
      options={[
        { value: UNSET, label: view.default === undefined ? '—' : `— (${ghostText(view, undefined)})` },
        ...all.map((option, at) => ({ value: String(at), label: optionLabel(option, all) })),
      ]}
      aria-describedby={describedBy}
      aria-invalid={invalid || undefined}
    />
  );
}

/** Text as it is, unless it could be taken for a value of another type. */
function optionLabel(option: unknown, all: readonly unknown[]): string {
  const ambiguous = typeof option === 'string' && (option === '' || all.some((other) => typeof other !== 'string'));
  return ambiguous ? visibleText(JSON.stringify(option)) : brief(option);
}

export function EnumControl(props: ControlProps<'enum'>) {
  return <Choice {...props} options={props.view.options} />;
}

const BOOLEANS = [true, false];

export function BooleanControl(props: ControlProps<'boolean'>) {
  return <Choice {...props} options={BOOLEANS} />;
}
