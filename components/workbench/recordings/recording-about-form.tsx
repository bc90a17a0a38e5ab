import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { useFocusReturn } from '@/components/ui/focus';
import { FIELD, TextInput } from '@/components/ui/inputs';
import { keyLabel } from '@/components/ui/shortcuts';
import type { RecordingAbout, RecordingEntry } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';

/** What a recording is called, and a note on the whole of it: both are in its file. */
export function RecordingAboutForm({
  entry,
  onSave,
  onClose,
}: {
  readonly entry: RecordingEntry;
  /** Resolves to true once it is saved. */
  readonly onSave: (about: RecordingAbout) => Promise<boolean>;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(entry.about?.name ?? '');
  const [text, setText] = useState(entry.about?.text ?? '');
  const [saving, setSaving] = useState(false);
  const goBack = useFocusReturn();
  const close = () => {
    goBack();
    onClose();
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    const saved = await onSave({ name: name.trim(), text: text.trim() });
    setSaving(false);
    if (saved) close();
  };
  return (
    <form
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        const isDone = event.key === 'Enter' && (event.metaKey || event.ctrlKey);
        if (!isDone && event.key !== 'Escape') return;
        // The dialog around it stays.
        event.preventDefault();
        if (!isDone) close();
        else if (!saving) event.currentTarget.requestSubmit();
      }}
      className="flex w-full flex-col gap-2 pr-0.5 pb-2 pl-6"
    >
      <TextInput
        label="Name"
        value={name}
        onChange={setName}
        placeholder={entry.name}
        maxLength={LIMITS.recordingNameChars}
        autoFocus
      />
      <label className="flex flex-col gap-1 text-muted">
        Note
        <textarea
          rows={2}
          value={text}
          onChange={(event) => setText(event.target.value)}
          maxLength={LIMITS.noteChars}
          className={classNames(FIELD, 'h-auto min-h-12 resize-y py-1')}
        />
      </label>
      <div className="flex items-center gap-2">
        <Button type="submit" size="small" variant="primary" disabled={saving} title={keyLabel('⌘↵')}>
          Save
        </Button>
        <Button size="small" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <span className="min-w-0 truncate text-small text-muted">Both are written into its file.</span>
      </div>
    </form>
  );
}
