import { useState, useSyncExternalStore } from 'react';
import { Menu } from '@/components/ui/menu';
import { MENU_BUTTON } from '@/components/ui/menu-button';
import type { MenuItem } from '@/components/ui/menu-list';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { compactJson } from '@/lib/schema/json';
import { SavedCalls } from './saved-calls';
import { SavedDialog } from './saved-dialog';
import type { DocumentState } from './use-document';

/** On this machine, in this browser; over restarts of everything. */
const calls = new SavedCalls(() => window.localStorage);

/** Hears of other tabs too. */
function subscribe(listener: () => void): () => void {
  const stop = calls.subscribe(listener);
  window.addEventListener('storage', listener);
  return () => {
    stop();
    window.removeEventListener('storage', listener);
  };
}

/** Notes arguments that were sent. `key` names a server and a tool. */
export function rememberCall(key: string, text: string): void {
  calls.remember(key, text);
}

interface HistoryMenuProps {
  /** Names a server and a tool. */
  readonly storageKey: string;
  readonly document: DocumentState;
}

/** Saved calls by name, and the last argument sets of a tool. */
export function HistoryMenu({ storageKey, document }: HistoryMenuProps) {
  const kept = useSyncExternalStore(
    subscribe,
    () => calls.of(storageKey),
    () => calls.of(storageKey),
  );
  const [managing, setManaging] = useState(false);
  const items = (): readonly MenuItem[] => [
    { label: 'Save these, import, export…', run: () => setManaging(true) },
    ...kept.saved.map(({ name, text }, index) => ({
      label: <UntrustedText text={name} limit={80} />,
      apart: index === 0,
      run: () => document.fill(text),
    })),
    ...kept.recent.map((text, index) => ({
      label: <UntrustedText text={text === '' ? 'no arguments' : compactJson(text)} limit={80} className="font-mono" />,
      apart: index === 0,
      run: () => document.fill(text),
    })),
    ...(kept.recent.length > 0
      ? [{ label: 'Forget recent arguments', apart: true, run: () => calls.forget(storageKey) }]
      : []),
    {
      label: calls.remembers ? 'Do not remember arguments' : 'Remember arguments',
      apart: kept.recent.length === 0,
      run: () => calls.setRemembers(!calls.remembers),
    },
  ];
  return (
    <>
      <Menu label="History" items={items} className={MENU_BUTTON}>
        History ▾
      </Menu>
      {managing && (
        <SavedDialog calls={calls} storageKey={storageKey} document={document} onClose={() => setManaging(false)} />
      )}
    </>
  );
}
