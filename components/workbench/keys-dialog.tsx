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
      <dl className="grid grid-cols-[104px_1fr] gap-y-1">
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
      <p className="mt-3 text-muted">
        Keys without {keyLabel('mod+').replace('+', '')} work in the message log and on the page itself. Esc leaves a
        field, list or button. While typing, only Esc and {keyLabel('mod+enter')} work.
      </p>
    </>
  );
}
