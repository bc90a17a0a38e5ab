import { flushSync } from 'react-dom';
import { useShortcuts } from '@/components/ui/use-shortcuts';
import { useLocation } from '@/lib/hooks/use-location';
import { focusInPanel } from './focus-in-panel';

/** The modal on top of the workbench. */
export type WorkbenchDialog = 'add' | 'palette' | 'keys' | 'recordings' | 'share' | 'compare' | undefined;

/** The keys of the workbench: palette, help, what there is of sharing and recordings, and `g` with a panel's key. */
export function useWorkbenchKeys(
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
        focusInPanel();
      },
    })),
  ]);
}
