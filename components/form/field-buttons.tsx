import { IconButton } from '@/components/ui/icon-button';
import { Menu } from '@/components/ui/menu';
import { fieldActions } from './field-actions';
import { focusField } from './focus-field';
import { useForm } from './form-context';
import type { FrameProps } from './frame-props';

/** × to take the value away, arrows to move an item, and what else can be done. */
export function FieldButtons(props: FrameProps) {
  const { id, path, item, last, onUnset } = props;
  const { edit, readOnly } = useForm();
  if (readOnly) return null;
  const move = (by: number) => {
    const from = path.at(-1) as number;
    edit({ type: 'move', path: path.slice(0, -1), from, to: from + by });
    focusField([...path.slice(0, -1), from + by]);
  };
  return (
    // As wide as it gets: an input must not move when its value can be taken away.
    <div className={`flex min-h-7 shrink-0 items-center justify-end ${item ? 'min-w-24' : 'min-w-12'}`}>
      {item && (path.at(-1) as number) > 0 && (
        <IconButton label="Move up" aria-describedby={`${id}-label`} onClick={() => move(-1)}>
          ↑
        </IconButton>
      )}
      {item && !last && (
        <IconButton label="Move down" aria-describedby={`${id}-label`} onClick={() => move(1)}>
          ↓
        </IconButton>
      )}
      {onUnset && (
        <IconButton label={item ? 'Remove' : 'Unset'} aria-describedby={`${id}-label`} onClick={onUnset}>
          ×
        </IconButton>
      )}
      <Menu label="More" describedBy={`${id}-label`} items={() => fieldActions(props, edit)}>
        ⋯
      </Menu>
    </div>
  );
}
