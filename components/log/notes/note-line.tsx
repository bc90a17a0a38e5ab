import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { NoteOfFrame } from '@/lib/hooks/use-note';
import type { Log } from '@/lib/store/log';
import { NoteEditor } from './note-editor';

/** What a person says of the frame that is shown: to be read, edited and taken back. Nothing if that is nothing. */
export function NoteLine({
  log,
  seq,
  about: { note, set, failure, editing, edit },
}: {
  readonly log: Log;
  readonly seq: number;
  readonly about: NoteOfFrame;
}) {
  if (note.text === '' && !note.bookmark && !editing && !failure) return null;
  return (
    <div className="max-h-40 shrink-0 overflow-auto border-b border-line bg-accent/8 px-2 py-0.5">
      {editing ? (
        <NoteEditor
          key={seq}
          log={log}
          seq={seq}
          text={note.text}
          onSave={(text) => set({ text })}
          onClose={() => edit(false)}
        />
      ) : (
        <div className="flex min-h-6 items-start gap-1">
          <section aria-label="Note" className="min-w-0 flex-1 py-0.5 break-words whitespace-pre-wrap">
            {note.bookmark && <span className="mr-2 text-accent">⚑ Bookmark</span>}
            <UntrustedText text={note.text} />
          </section>
          {note.text !== '' && (
            <>
              <Button size="small" variant="ghost" onClick={() => edit(true)}>
                Edit note
              </Button>
              <Button size="small" variant="ghost" onClick={() => void set({ text: '' })}>
                Remove note
              </Button>
            </>
          )}
        </div>
      )}
      {failure && <ErrorNote codeless failure={failure} />}
    </div>
  );
}
