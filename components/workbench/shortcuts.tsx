import { flushSync } from 'react-dom';
import { Dialog } from '@/components/ui/dialog';
import { activeShortcuts, KeyHint, keyLabel, useShortcuts } from '@/components/ui/shortcuts';
import { useLocation } from '@/lib/hooks/location';
import { focusPanelContent } from './keyboard-focus';

/** The modal on top of the workbench. */
export type WorkbenchDialog = 'add' | 'palette' | 'keys' | 'recordings' | 'share' | 'compare' | undefined;

/** The keys of the workbench: palette, help, what there is of sharing and recordings, and `g` with a panel's key. */
export function useWorkbenchShortcuts(
  panels: readonly { readonly id: string; readonly title: string; readonly key: string }[],
  openDialog: (dialog: WorkbenchDialog) => void,
  { shares, recordings }: { readonly shares: boolean; readonly recordings: boolean },
): void {
  const { navigate } = useLocation();
  useShortcuts([
    { keys: 'mod+k', title: 'Open the command palette', whileTyping: true, run: () => openDialog('palette') },
    { keys: '?', title: 'Show all keys', run: () => openDialog('keys') },
    ...(shares ? [{ keys: 's', title: 'Share', run: () => openDialog('share') }] : []),
    ...(recordings ? [{ keys: 'g l', title: 'Go to Recordings', run: () => openDialog('recordings') }] : []),
    ...panels.map((panel) => ({
      keys: `g ${panel.key}`,
      title: `Go to ${panel.title}`,
      run: () => {
        flushSync(() => navigate({ panel: panel.id, item: undefined }));
        focusPanelContent();
      },
    })),
  ]);
}

/** Every key that does something on the page as it is now. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" width="narrow" onClose={onClose}>
      <dl className="grid grid-cols-[88px_1fr] gap-y-1">
        {activeShortcuts().map(({ keys, title }) => (
          <div key={`${keys} ${title}`} className="contents">
            <dt>
              <KeyHint keys={keys} />
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-muted">In a text box only Esc and keys with {keyLabel('⌘').replace('+', '')} work.</p>
    </Dialog>
  );
}
