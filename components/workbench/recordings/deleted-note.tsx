import { Button } from '@/components/ui/button';
import type { RecordingsDeleted } from '@/lib/wire/api';
import { deletedWords } from './kept-words';

/** What age and size took since somebody last looked. */
export function DeletedNote({ deleted, onSeen }: { readonly deleted: RecordingsDeleted; readonly onSeen: () => void }) {
  const when = new Date(deleted.at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 bg-warn/8 px-2 py-1">
      <p className="min-w-0 flex-1 basis-60">{deletedWords(deleted, when)}</p>
      <Button size="small" variant="ghost" onClick={onSeen}>
        Don’t show again
      </Button>
    </div>
  );
}
