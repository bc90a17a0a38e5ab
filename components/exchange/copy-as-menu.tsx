import { useEffect, useState } from 'react';
import { Menu } from '@/components/ui/menu';
import { MENU_BUTTON } from '@/components/ui/menu-button';
import type { Snippet } from '@/lib/snippets/request-snippets';

/** How long the button says that it copied. */
const SAID_MS = 1500;

/** Copies something in the form that somebody else needs. `snippets` are asked for when the menu opens. */
export function CopyAsMenu({ snippets }: { readonly snippets: () => readonly Snippet[] }) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (text: () => string) => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('Copied');
    } catch {
      setSaid('The browser refused');
    }
  };
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
