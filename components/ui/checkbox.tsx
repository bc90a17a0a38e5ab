import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'checked' | 'type'> {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Shown after the box. Without it, give `aria-label` or a `<label>` for `id`. */
  readonly label?: ReactNode;
}

/** The native checkbox with its label. */
export function Checkbox({ checked, onChange, label, id, ...rest }: CheckboxProps) {
  const ownId = useId();
  const input = (
    <input
      type="checkbox"
      id={id ?? ownId}
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4 shrink-0 accent-accent"
      {...rest}
    />
  );
  if (label === undefined) return input;
  return (
    <span className="inline-flex min-h-7 items-center gap-2">
      {input}
      <label htmlFor={id ?? ownId}>{label}</label>
    </span>
  );
}
