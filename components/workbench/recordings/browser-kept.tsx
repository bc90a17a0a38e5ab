import type { RecordingEntry, RecordingsKept } from '@/lib/wire/api';
import { formatBytes } from '@/lib/wire/format-bytes';
import { UsedSpace } from './used-space';

/** How long, and how much, a browser keeps, and what of that is used. */
export function BrowserKept(props: { readonly keep: RecordingsKept; readonly recordings: readonly RecordingEntry[] }) {
  const { days, bytes } = props.keep;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-2 text-muted">
      <span>
        Kept for {days} days, and up to {formatBytes(bytes)}
      </span>
      <UsedSpace {...props} />
      <span className="min-w-0 basis-full text-small">
        As others are recorded, older ones are deleted, and those that the newer ones leave no room for. What has a
        name, notes or bookmarks stays until you delete it, and takes room, too.
      </span>
    </div>
  );
}
