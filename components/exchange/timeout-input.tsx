import { useId, useState } from 'react';
import { TextInput } from '@/components/ui/text-input';
import { LIMITS } from '@/lib/wire/limits';

/** How long a request may stay silent, in seconds. What is no usable number changes nothing. */
export function TimeoutInput({ ms, onChange }: { readonly ms: number; readonly onChange: (ms: number) => void }) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const read = (text: string) => {
    const value = Math.round(Number(text) * 1000);
    return value > 0 && value <= LIMITS.requestMaxMs ? value : undefined;
  };
  return (
    <span className="inline-flex items-center gap-1 text-small text-muted">
      <label htmlFor={id}>Timeout</label>
      <TextInput
        id={id}
        inputMode="decimal"
        className="max-w-14 text-right"
        value={draft ?? String(ms / 1000)}
        aria-invalid={(draft !== undefined && read(draft) === undefined) || undefined}
        title={`Seconds without an answer or progress, up to ${LIMITS.requestMaxMs / 1000}`}
        onChange={(text) => {
          setDraft(text);
          const value = read(text);
          if (value !== undefined) onChange(value);
        }}
        onBlur={() => setDraft(undefined)}
      />
      s
    </span>
  );
}
