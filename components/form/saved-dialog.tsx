import { useState, useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { IconButton } from '@/components/ui/icon-button';
import { TextInput } from '@/components/ui/text-input';
import { Download } from '@/components/untrusted/download';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { compactJson } from '@/lib/schema/json';
import { chooseFile } from './insert-file';
import type { SavedCalls } from './saved-calls';
import type { DocumentState } from './use-document';

interface SavedDialogProps {
  readonly calls: SavedCalls;
  readonly storageKey: string;
  readonly document: DocumentState;
  readonly onClose: () => void;
}

/** Saves the arguments under a name; lists, imports and exports what was saved. */
export function SavedDialog({ calls, storageKey, document, onClose }: SavedDialogProps) {
  const kept = useSyncExternalStore(
    calls.subscribe,
    () => calls.of(storageKey),
    () => calls.of(storageKey),
  );
  const [name, setName] = useState('');
  const [said, setSaid] = useState<string>();
  const taken = kept.saved.some((call) => call.name === name.trim());
  const bring = async () => {
    const file = await chooseFile('text');
    if (file === undefined) return;
    const count = calls.import(storageKey, file);
    setSaid(count === undefined ? 'This is no file of saved calls.' : `Added from the file: ${count}.`);
  };
  return (
    <Dialog title="Saved calls" onClose={onClose} width="narrow">
      <div className="flex flex-col gap-3">
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === '' || !document.parsed.ok) return;
            const saved = calls.save(storageKey, name.trim(), document.text);
            setSaid(saved ? undefined : 'Not saved: these arguments are too long. Keep them in a file.');
            if (saved) setName('');
          }}
        >
          <div className="min-w-0 flex-1">
            <TextInput label="Save the arguments as" value={name} onChange={setName} />
          </div>
          <Button type="submit" disabled={name.trim() === '' || !document.parsed.ok}>
            {taken ? 'Replace' : 'Save'}
          </Button>
        </form>
        <p className="text-small text-muted">Kept in this browser only. Values whose names look secret are left out.</p>
        <ul className="flex flex-col">
          {kept.saved.map((call) => (
            <li key={call.name} className="flex min-w-0 items-center gap-2 border-t border-line py-1">
              <UntrustedText text={call.name} limit={80} className="shrink-0" />
              <span className="min-w-0 flex-1 truncate font-mono text-small text-muted">
                <UntrustedText text={call.text === '' ? 'no arguments' : compactJson(call.text)} limit={120} />
              </span>
              <Button
                size="small"
                onClick={() => {
                  document.fill(call.text);
                  onClose();
                }}
              >
                Use
              </Button>
              <IconButton label={`Remove ${call.name}`} onClick={() => calls.remove(storageKey, call.name)}>
                ×
              </IconButton>
            </li>
          ))}
        </ul>
        <div className="flex items-center gap-2">
          <Button size="small" onClick={() => void bring()}>
            Import…
          </Button>
          {kept.saved.length > 0 && <Download content={calls.exported(storageKey)} name="saved-calls.json" />}
          <span role="status" className="text-small text-muted">
            {said}
          </span>
        </div>
      </div>
    </Dialog>
  );
}
