import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { FIELD } from '@/components/ui/field';
import { keyLabel } from '@/components/ui/platform-keys';
import { useDraft } from '@/lib/hooks/use-draft';
import type { Log } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';

/** Where a note is written. What is not saved yet is still there after a reload of the tab. */
export function NoteEditor({
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
