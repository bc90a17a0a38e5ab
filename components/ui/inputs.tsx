import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, useId } from 'react';
import { classNames } from './class-names';
import { useSteadyPress } from './steady-press';

/** Classes shared by text boxes and selects: 28 px high with a hairline border. */
export const FIELD =
  'h-7 w-full min-w-0 rounded border border-control/60 bg-bg px-2 text-ui text-ellipsis text-text placeholder:text-muted ' +
  'hover:border-control aria-invalid:border-error disabled:opacity-55 [&[readonly]]:border-line [&[readonly]]:bg-surface';

interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Shown above. Without it, give `aria-label` or a `<label>` for `id`. */
  readonly label?: ReactNode;
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A single-line text box without spell checking, capitalisation or completion. */
export function TextInput({ value, onChange, label, mono = false, className, id, ...rest }: TextInputProps) {
  const ownId = useId();
  const input = (
    <input
      type="text"
      id={id ?? ownId}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      className={classNames(FIELD, mono && 'font-mono text-wire', className)}
      {...rest}
    />
  );
  if (label === undefined) return input;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id ?? ownId} className="text-muted">
        {label}
      </label>
      {input}
    </div>
  );
}

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

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'checked' | 'type'> {
  readonly checked: boolean;
  /** True if it represents several things that differ. */
  readonly indeterminate?: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Shown after the box. Without it, give `aria-label` or a `<label>` for `id`. */
  readonly label?: ReactNode;
}

/** The native checkbox with its label. */
export function Checkbox({ checked, indeterminate = false, onChange, label, id, ...rest }: CheckboxProps) {
  const ownId = useId();
  const onPointerDown = useSteadyPress(() => rest.disabled || onChange(!checked));
  const input = (
    <input
      // Not an attribute in HTML.
      ref={(element) => {
        if (element) element.indeterminate = indeterminate;
      }}
      type="checkbox"
      id={id ?? ownId}
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4 shrink-0 accent-accent"
      {...rest}
    />
  );
  // Larger than the box, and takes no more room. Without `for`, so that the label with the name is the first.
  if (label === undefined) {
    return (
      // biome-ignore lint/a11y/noLabelWithoutControl: the box is inside
      <label className="-m-1 inline-flex size-6 items-center justify-center" onPointerDown={onPointerDown}>
        {input}
      </label>
    );
  }
  return (
    // One target, with the space between.
    <label
      htmlFor={id ?? ownId}
      className="inline-flex min-h-7 min-w-0 items-center gap-2"
      onPointerDown={onPointerDown}
    >
      {input}
      <span className="min-w-0">{label}</span>
    </label>
  );
}
