import { useForm } from './form-context';
import type { FrameProps } from './frame-props';

type NullButtonProps = Pick<FrameProps, 'id' | 'view' | 'value' | 'onNull'>;

/** `or null`, where the schema allows it: pressed while null is sent. A list of choices has it as a choice. */
export function NullButton({ id, view, value, onNull }: NullButtonProps) {
  const { readOnly } = useForm();
  if (readOnly) return value === null && ' null';
  if (!view.nullable || view.kind === 'enum' || view.kind === 'boolean') return null;
  if (view.kind === 'const' && view.value === null) return null;
  return (
    <span className="inline-flex items-center gap-1">
      or
      <button
        type="button"
        aria-pressed={value === null}
        aria-describedby={`${id}-label`}
        onClick={onNull}
        className="rounded border border-line px-1 leading-[14px] hover:border-control aria-pressed:border-accent aria-pressed:bg-accent/15 aria-pressed:text-text"
      >
        null
      </button>
    </span>
  );
}
