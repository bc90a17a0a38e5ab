import { type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import { classNames } from './class-names';
import { FIELD } from './field';

interface SelectProps<Value extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly disabled?: boolean }[];
  /** Shown above. Without it, give `aria-label` or a `<label>` for `id`. */
  readonly label?: ReactNode;
}

/** The native select. */
export function Select<Value extends string>({
  value,
  onChange,
  options,
  label,
  className,
  id,
  ...rest
}: SelectProps<Value>) {
  const ownId = useId();
  const select = (
    <select
      id={id ?? ownId}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
      className={classNames(FIELD, 'px-1', className)}
      {...rest}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
  if (label === undefined) return select;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id ?? ownId} className="text-muted">
        {label}
      </label>
      {select}
    </div>
  );
}
