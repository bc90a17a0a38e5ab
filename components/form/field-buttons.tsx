import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { Menu } from '@/components/ui/menu';
import { fieldActions } from './field-actions';
import { focusField } from './focus-field';
import { useForm } from './form-context';
import type { FrameProps } from './frame-props';

/** `null` where the schema allows it (a list of choices has it as a choice), × to take the value away, and what else can be done. */
export function FieldButtons(props: FrameProps) {
  const { id, path, view, value, item, last, onSet, onUnset } = props;
  const { edit } = useForm();
  const choice = view.kind === 'enum' || view.kind === 'boolean' || view.kind === 'const';
  const move = (by: number) => {
    const from = path.at(-1) as number;
    edit({ type: 'move', path: path.slice(0, -1), from, to: from + by });
    focusField([...path.slice(0, -1), from + by]);
  };
  return (
    <div className="flex shrink-0 items-center">
      {view.nullable && !choice && (
        <Button
          size="small"
          variant="ghost"
          aria-pressed={value === null}
          aria-describedby={`${id}-label`}
          onClick={() => onSet(value === null ? undefined : null)}
          className="text-muted aria-pressed:border-control/60 aria-pressed:text-text"
        >
          null
        </Button>
      )}
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
