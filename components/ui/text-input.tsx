import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { classNames } from './class-names';
import { FIELD } from './field';

interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Shown above. Without it, give `aria-label` or a `<label>` for `id`. */
  readonly label?: ReactNode;
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** One line of text, as typed: no spell checking, no capitals, no completion. */
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
