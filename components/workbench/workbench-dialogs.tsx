import { Dialog } from '@/components/ui/dialog';
import { Spinner } from '@/components/ui/notices';

/** In the place of a dialog that is being fetched: it has the keyboard from the first moment, so that no key goes to what is behind it. */
export function LoadingDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="One moment" bare onClose={onClose}>
      <p className="flex h-10 items-center gap-2 px-3 text-muted">
        <Spinner /> One moment…
      </p>
    </Dialog>
  );
}
