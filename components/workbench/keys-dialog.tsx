import { Dialog } from '@/components/ui/dialog';
import { activeShortcuts, isAllowed, KeyHint, keyLabel } from '@/components/ui/shortcuts';

/** Lists the keys. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" width="narrow" isText onClose={onClose}>
      <KeyList />
    </Dialog>
  );
}

/** The keys that work on the page behind the dialog. */
export function KeyList() {
  return (
    <>
      <dl className="grid grid-cols-[88px_1fr] gap-y-1">
        {activeShortcuts()
          .filter(({ keys }) => isAllowed(keys))
          .map(({ keys, title }) => (
            <div key={`${keys} ${title}`} className="contents">
              <dt>
                <KeyHint keys={keys} />
              </dt>
              <dd>{title}</dd>
            </div>
          ))}
      </dl>
      <p className="mt-3 text-muted">While typing, only Esc and keys with {keyLabel('⌘').replace('+', '')} work</p>
    </>
  );
}
