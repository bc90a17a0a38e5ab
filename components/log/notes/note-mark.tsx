import { visibleText } from '@/components/ui/visible-text';
import type { Note } from '@/lib/store/notes';

/** Longest note that is told on hover. */
const HINT_CHARACTERS = 300;

/** That a person has put a note or a bookmark on a frame, in its row. */
export function NoteMark({ note: { text, bookmark } }: { readonly note: Note }) {
  const words = bookmark ? 'Bookmark' : 'Note';
  return (
    <span
      className="mr-1.5 font-sans text-accent"
      title={text === '' ? words : `${words}: ${visibleText(text.slice(0, HINT_CHARACTERS))}`}
    >
      <span aria-hidden="true">
        {bookmark && '⚑'}
        {text !== '' && '✎'}
      </span>
      <span className="sr-only">{words} </span>
    </span>
  );
}
