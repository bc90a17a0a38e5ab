import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { FIELD } from '@/components/ui/inputs';
import { isSendKey, SEND_KEYS } from '@/components/ui/key-press';
import { ErrorNote } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { keyLabel, usePaletteCommands } from '@/components/ui/shortcuts';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useDraft } from '@/lib/hooks/drafts';
import type { NoteOfFrame } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';

/**
 * Buttons that add a note or a bookmark to a frame. Both are saved in the recording. *Keep in view* is different: it
 * only keeps a frame in view in this tab.
 */
export function NoteButtons({
  about: { note, set, edit },
  isSelected,
}: {
  readonly about: NoteOfFrame;
  /** It is the selected frame, so its commands are in the palette. */
  readonly isSelected: boolean;
}) {
  const noteLabel = note.text === '' ? 'Add note' : 'Edit the note';
  const bookmarkLabel = note.bookmark ? 'Remove bookmark' : 'Add bookmark (saved in the recording)';
  const toggle = () => void set({ bookmark: !note.bookmark });
  usePaletteCommands(() =>
    isSelected
      ? [
          {
            title: note.text === '' ? 'Add a note to the message' : 'Edit the message’s note',
            run: () => edit(true),
          },
          { title: note.bookmark ? 'Remove the message’s bookmark' : 'Bookmark the message', run: toggle },
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

/** The note and bookmark of a frame, with buttons to edit and remove the note. Empty if there is neither. */
export function NoteLine({
  log,
  seq,
  about: { note, set, failure, editing, edit },
}: {
  readonly log: Log;
  readonly seq: number;
  readonly about: NoteOfFrame;
}) {
  // After a reload the text box shows what was typed.
  const isOpen = useNoteDraft(log, seq)[0] !== null || editing;
  if (note.text === '' && !note.bookmark && !isOpen && !failure) return null;
  return (
    <div className="max-h-40 shrink-0 overflow-auto border-b border-line bg-accent/8 px-2 py-0.5">
      {isOpen ? (
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

/** The typed note; null unless it is changed. */
function useNoteDraft(log: Log, seq: number) {
  const startedAt = log.state.connection.start?.at ?? '';
  return useDraft<string | null>(`note ${log.connection} ${startedAt} ${seq}`, null);
}

/** A text box for a note. Unsaved text survives a reload of the tab. */
function NoteEditor({
  log,
  seq,
  text,
  onSave,
  onClose,
}: {
  readonly log: Log;
  readonly seq: number;
  /** The saved note. */
  readonly text: string;
  /** Resolves to true once saved. */
  readonly onSave: (text: string) => Promise<boolean>;
  readonly onClose: () => void;
}) {
  const [draft, setDraft] = useNoteDraft(log, seq);
  const [saving, setSaving] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const current = draft ?? text;
  useEffect(() => moveFocus(box.current), []);

  const close = () => {
    // The focused text box is about to be removed.
    moveFocus(box.current?.closest<HTMLElement>('section[tabindex]'));
    setDraft(null);
    onClose();
  };
  const save = async () => {
    setSaving(true);
    const saved = await onSave(current.trim());
    setSaving(false);
    if (saved) close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const saves = isSendKey(event);
    if ((!saves && event.key !== 'Escape') || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (saves) void save();
    else close();
  };
  return (
    <div className="flex flex-col gap-1 py-1">
      <textarea
        ref={box}
        aria-label={`Note on #${seq}`}
        rows={3}
        maxLength={LIMITS.noteChars}
        value={current}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        className={classNames(FIELD, 'h-auto min-h-14 resize-y py-1')}
      />
      <div className="flex items-center gap-2">
        <Button
          size="small"
          variant="primary"
          disabled={saving}
          title={keyLabel(SEND_KEYS)}
          onClick={() => void save()}
        >
          Save note
        </Button>
        <Button size="small" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <span className="min-w-0 flex-1 truncate text-small text-muted">Notes are saved in the recording</span>
      </div>
    </div>
  );
}
