import { useId, useState } from 'react';
import { TextInput } from '@/components/ui/inputs';

interface NumberFieldProps {
  readonly label: string;
  /** undefined if nothing is set. */
  readonly value: number | undefined;
  readonly placeholder: string;
  readonly least?: number;
  /** Only whole numbers. */
  readonly whole?: boolean;
  /** The value that an empty field means. */
  readonly usual?: number;
  /** Gets the usual value for an empty field, and no invalid one. */
  readonly onChange: (value: number | undefined) => void;
}

/** A field for a number. Invalid text stays, and the field says why it does not count. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, placeholder, least = 0, whole = false, usual, onChange } = props;
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const meant = typed === undefined ? value : readNumberField(typed, { least, whole, usual });
  // A number that came from elsewhere, such as another tab, replaces the text.
  const isTyped = typed !== undefined && (meant === INVALID || meant === value);
  const problem = isTyped && meant === INVALID;
  return (
    <div className="min-w-0">
      <TextInput
        label={<span className="block truncate text-small">{label}</span>}
        inputMode="decimal"
        placeholder={placeholder}
        aria-invalid={problem}
        {...(problem && { 'aria-describedby': id })}
        value={isTyped ? typed : value === undefined ? '' : String(value)}
        onChange={(text) => {
          setTyped(text);
          const next = readNumberField(text, { least, whole, usual });
          if (next !== INVALID) onChange(next);
        }}
      />
      {problem && (
        <p id={id} role="status" className="text-small text-warn">
          ! Not used: {whole ? 'whole number' : 'number'} ≥ {least}
        </p>
      )}
    </div>
  );
}

const INVALID = 'invalid';

/** Returns the number in a text; `usual` for a blank one. */
export function readNumberField(
  text: string,
  { least, whole, usual }: { readonly least: number; readonly whole: boolean; readonly usual: number | undefined },
): number | undefined | typeof INVALID {
  if (text.trim() === '') return usual;
  const number = Number(text);
  if (!Number.isFinite(number) || number < least) return INVALID;
  return whole && !Number.isSafeInteger(number) ? INVALID : number;
}
