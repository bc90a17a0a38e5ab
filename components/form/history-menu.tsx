import { useState } from 'react';
import { Menu } from '@/components/ui/menu';
import { MENU_BUTTON } from '@/components/ui/menu-button';
import type { MenuItem } from '@/components/ui/menu-list';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { SavedCalls } from '@/lib/hooks/use-saved-calls';
import { compactJson } from '@/lib/schema/json';
import { SavedDialog } from './saved-dialog';
import type { DocumentState } from './use-document';

interface HistoryMenuProps {
  readonly saved: SavedCalls;
  readonly document: DocumentState;
}

/** Saved calls by name, and the last argument sets of a tool. */
export function HistoryMenu({ saved, document }: HistoryMenuProps) {
  const { calls, failure, change, readAgain } = saved;
  const [managing, setManaging] = useState(false);
  const items = (): readonly MenuItem[] => [
    { label: 'Save these, import, export…', run: () => setManaging(true) },
    ...(failure
      ? [{ label: <span className="text-error">{failure.message}</span>, run: () => setManaging(true) }]
      : []),
    ...calls.saved.map(({ name, text }, index) => ({
      label: <UntrustedText text={name} limit={80} />,
      apart: index === 0,
      run: () => document.fill(text),
    })),
    ...calls.recent.map((text, index) => ({
      label: <UntrustedText text={text === '' ? 'no arguments' : compactJson(text)} limit={80} className="font-mono" />,
      apart: index === 0,
      run: () => document.fill(text),
    })),
    ...(calls.recent.length > 0
      ? [{ label: 'Forget recent arguments', apart: true, run: () => void change({ kind: 'forget' }) }]
      : []),
    ...(calls.off
      ? []
      : [
          {
            label: calls.remembers ? 'Do not remember arguments' : 'Remember arguments',
            apart: calls.recent.length === 0,
            run: () => void change({ kind: 'remembers', on: !calls.remembers }),
          },
        ]),
  ];
  return (
    <>
      <Menu label="History" items={items} onOpen={readAgain} className={MENU_BUTTON}>
        History ▾
      </Menu>
      {managing && <SavedDialog saved={saved} document={document} onClose={() => setManaging(false)} />}
    </>
  );
}
