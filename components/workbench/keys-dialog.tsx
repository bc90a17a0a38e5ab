import { Dialog } from '@/components/ui/dialog';
import { isKeyAllowed, KeyHint, keyLabel, SHORTCUT_GROUPS, shortcutsOf } from '@/components/ui/shortcuts';

/** Lists the keys. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" width="narrow" isText onClose={onClose}>
      <KeyList />
    </Dialog>
  );
}

/** The keys that work on the page behind the dialog, those of the view first. */
export function KeyList() {
  return (
    <>
      {SHORTCUT_GROUPS.map((group) => {
        const shortcuts = shortcutsOf(group).filter(({ keys }) => isKeyAllowed(keys));
        if (shortcuts.length === 0) return null;
        return (
          <section key={group} aria-label={group} className="mb-3">
            <h3 className="mb-1 font-medium">{group}</h3>
            <dl className="grid grid-cols-[104px_1fr] gap-y-1">
              {shortcuts.map(({ keys, title }) => (
                <div key={`${keys} ${title}`} className="contents">
                  <dt>
                    <KeyHint keys={keys} />
                  </dt>
                  <dd>{title}</dd>
                </div>
              ))}
            </dl>
          </section>
        );
      })}
      <p className="text-muted">
        Keys without {keyLabel('mod+').replace('+', '')} work in the message log and on the page itself. Esc leaves a
        field, list or button. While typing, only Esc and {keyLabel('mod+enter')} work.
      </p>
    </>
  );
}
