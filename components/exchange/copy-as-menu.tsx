import { useCopy } from '@/components/ui/button';
import { MENU_BUTTON, Menu } from '@/components/ui/menu';
import type { Snippet } from '@/lib/sharing/snippets/request-snippets';

/** Copies something in the form that somebody else needs. `snippets` are asked for when the menu opens. */
export function CopyAsMenu({ snippets }: { readonly snippets: () => readonly Snippet[] }) {
  const { said, copy } = useCopy();
  return (
    <Menu
      label="Copy as"
      items={() => snippets().map(({ label, text }) => ({ label, run: () => void copy(text) }))}
      className={MENU_BUTTON}
    >
      <span aria-live="polite">{said ?? 'Copy as ▾'}</span>
    </Menu>
  );
}
