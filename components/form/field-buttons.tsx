import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import type { FrameProps } from './frame-props';

/** `null` where the schema allows it (a list of choices has it as a choice), and × to take the value away. */
export function FieldButtons({ id, view, value, item, onNull, onUnset }: FrameProps) {
  const choice = view.kind === 'enum' || view.kind === 'boolean' || view.kind === 'const';
  return (
    <>
      {view.nullable && !choice && (
        <Button
          size="small"
          variant="ghost"
          aria-pressed={value === null}
          aria-describedby={`${id}-label`}
          onClick={onNull}
        >
          null
        </Button>
      )}
      {onUnset && (
        <IconButton label={item ? 'Remove' : 'Unset'} aria-describedby={`${id}-label`} onClick={onUnset}>
          ×
        </IconButton>
      )}
    </>
  );
}
