import { useCopy } from './button';
import { Icon } from './icon';
import { MENU_BUTTON, Menu } from './menu';

/** A menu that copies one thing in several forms. `snippets` is called when the menu opens. */
export function CopyAsMenu({
  snippets,
}: {
  readonly snippets: () => readonly { readonly label: string; readonly text: () => string }[];
}) {
  const { feedback, copy } = useCopy();
  return (
    <Menu
      label="Copy as"
      items={() => snippets().map(({ label, text }) => ({ label, run: () => void copy(text) }))}
      className={MENU_BUTTON}
    >
      <span aria-live="polite">{feedback ?? 'Copy as'}</span>
      {feedback === undefined && <Icon name="down" />}
    </Menu>
  );
}
