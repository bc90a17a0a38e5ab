import { Dialog } from '@/components/ui/dialog';
import { KeyHint } from '@/components/ui/key-hint';
import { keyLabel } from '@/components/ui/platform-keys';
import { activeShortcuts } from '@/components/ui/use-shortcuts';

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
