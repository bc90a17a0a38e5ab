import { Icon } from '@/components/ui/icon';
import { IconButton } from '@/components/ui/icon-button';
import { useShortcuts } from '@/components/ui/use-shortcuts';
import type { NoteOfFrame } from '@/lib/hooks/use-note';

/**
 * Puts a note or a bookmark on the frame that is shown. A bookmark is part of the log and its recording; a pin is another thing: it
 * keeps a frame in view in this tab, and nobody else sees it.
 */
export function NoteButtons({
  about: { note, set, edit },
  keys,
}: {
  readonly about: NoteOfFrame;
  /** The keys are about this frame: it is the one that is selected. */
  readonly keys: boolean;
}) {
  const noteLabel = note.text === '' ? 'Add a note' : 'Edit the note';
  const bookmarkLabel = note.bookmark ? 'Remove the bookmark' : 'Bookmark: mark it in the recording';
  const toggle = () => void set({ bookmark: !note.bookmark });
  useShortcuts(
    keys
      ? [
          {
            keys: 'n',
            title: note.text === '' ? 'Put a note on the message' : 'Edit the message’s note',
            run: () => edit(true),
          },
          { keys: 'b', title: note.bookmark ? 'Remove the message’s bookmark' : 'Bookmark the message', run: toggle },
        ]
      : [],
  );
  return (
    <>
      <IconButton label={noteLabel} onClick={() => edit(true)}>
        <Icon name="note" />
      </IconButton>
      <IconButton label={bookmarkLabel} aria-pressed={note.bookmark} onClick={toggle}>
        <Icon name="bookmark" />
      </IconButton>
    </>
  );
}
