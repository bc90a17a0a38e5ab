import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { FIELD } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { keyLabel, useShortcuts } from '@/components/ui/shortcuts';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useDraft } from '@/lib/hooks/drafts';
import type { NoteOfFrame } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';

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

/** Where a note is written. What is not saved yet is still there after a reload of the tab. */
function NoteEditor({
  log,
  seq,
  text,
  onSave,
  onClose,
}: {
  readonly log: Log;
  readonly seq: number;
  /** The note as it is. */
  readonly text: string;
  /** Resolves to true if it is saved. */
  readonly onSave: (text: string) => Promise<boolean>;
  readonly onClose: () => void;
}) {
  const startedAt = log.state.connection.start?.at ?? '';
  const [draft, setDraft] = useDraft<string | null>(`note ${log.connection} ${startedAt} ${seq}`, null);
  const [saving, setSaving] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const written = draft ?? text;
  useEffect(() => box.current?.focus(), []);

  const close = () => {
    // The focus must not fall to the page with what had it.
    box.current?.closest<HTMLElement>('section[tabindex]')?.focus();
    setDraft(null);
    onClose();
  };
  const save = async () => {
    setSaving(true);
    const saved = await onSave(written.trim());
    setSaving(false);
    if (saved) close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const asked = event.key === 'Enter' && (event.metaKey || event.ctrlKey) ? () => void save() : undefined;
    const act = event.key === 'Escape' ? close : asked;
    if (!act || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div className="flex flex-col gap-1 py-1">
      <textarea
        ref={box}
        aria-label={`Note on #${seq}`}
        rows={3}
        maxLength={LIMITS.noteChars}
        value={written}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        className={classNames(FIELD, 'h-auto min-h-14 resize-y py-1')}
      />
      <div className="flex items-center gap-2">
        <Button size="small" variant="primary" disabled={saving} title={keyLabel('⌘↵')} onClick={() => void save()}>
          Save note
        </Button>
        <Button size="small" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <span className="min-w-0 flex-1 truncate text-small text-muted">Notes become part of the recording.</span>
      </div>
    </div>
  );
}
