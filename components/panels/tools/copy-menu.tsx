import { useEffect, useState } from 'react';
import { MENU_BUTTON } from '@/components/form/menu-button';
import { Menu, type MenuItem } from '@/components/ui/menu';
import { argumentsText, type CopiedCall, configText, requestText, shellText } from './copy-forms';

/** How long the button says that it copied. */
const SAID_MS = 1500;

/** Copies the call in the form that somebody else needs. `call` is made when the menu opens. */
export function CopyMenu({ call }: { readonly call: () => CopiedCall }) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (text: string) =>
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('The browser refused'),
    );
  const items = (): readonly MenuItem[] => {
    const made = call();
    const shell = shellText(made);
    const config = configText(made);
    return [
      { label: 'Arguments', run: () => void copy(argumentsText(made)) },
      { label: 'Request', run: () => void copy(requestText(made)) },
      ...(shell === undefined
        ? []
        : [{ label: made.start?.transport === 'stdio' ? 'Command line' : 'curl', run: () => void copy(shell) }]),
      ...(config === undefined ? [] : [{ label: 'Client config', run: () => void copy(config) }]),
    ];
  };
  return (
    <Menu label="Copy as" items={items} className={MENU_BUTTON}>
      <span aria-live="polite">{said ?? 'Copy as ▾'}</span>
    </Menu>
  );
}
