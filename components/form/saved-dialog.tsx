import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { IconButton } from '@/components/ui/icon-button';
import { TextInput } from '@/components/ui/text-input';
import { Download } from '@/components/untrusted/download';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { SavedCalls } from '@/lib/hooks/use-saved-calls';
import { compactJson } from '@/lib/schema/json';
import { LIMITS } from '@/lib/wire/limits';
import { chooseFile } from './insert-file';
import { callsFile, callsInFile, keptText } from './saved-calls';
import type { DocumentState } from './use-document';

interface SavedDialogProps {
  readonly saved: SavedCalls;
  readonly document: DocumentState;
  readonly onClose: () => void;
}

const PLACES = {
  folder: 'Kept in your data folder, for every mcp-inspect on this machine. Secrets are left out or masked.',
  browser: 'Kept in this browser only. Values whose names look secret are left out.',
} as const;

/** Saves the arguments under a name; lists, imports and exports what was saved. */
export function SavedDialog({ saved, document, onClose }: SavedDialogProps) {
  const { calls, change, failure, place } = saved;
  const [name, setName] = useState('');
  const [said, setSaid] = useState<string>();
  const taken = calls.saved.some((call) => call.name === name.trim());
  const bring = async () => {
    const file = await chooseFile('text');
    if (file === undefined) return;
    const found = callsInFile(file);
    if (found === undefined) return setSaid('This is not a file of saved calls.');
    const kept = await Promise.all(found.map((call) => change({ kind: 'save', ...call })));
    setSaid(`Added from the file: ${kept.filter(Boolean).length}.`);
  };
  const save = async () => {
    const text = keptText(document.text);
    if (text === undefined) return setSaid('Not saved: these arguments are too long. Keep them in a file.');
    setSaid(undefined);
    // Until it is kept the name stays, to try again.
    if (await change({ kind: 'save', name: name.trim(), text })) setName('');
  };
  return (
    <Dialog title="Saved calls" onClose={onClose} width="narrow">
      <div className="flex flex-col gap-3">
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '' && document.parsed.ok) void save();
          }}
        >
          <div className="min-w-0 flex-1">
            <TextInput
              label="Save the arguments as"
              value={name}
              onChange={setName}
              maxLength={LIMITS.savedCallNameChars}
            />
          </div>
          <Button type="submit" disabled={name.trim() === '' || !document.parsed.ok}>
            {taken ? 'Replace' : 'Save'}
          </Button>
        </form>
        <p className="text-small text-muted">{PLACES[place]}</p>
        {failure && (
          <p role="alert" className="text-small text-error">
            {failure.message} {failure.advice}
          </p>
        )}
        <ul className="flex flex-col">
          {calls.saved.map((call) => (
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
              <IconButton
                label={`Remove ${call.name}`}
                onClick={() => void change({ kind: 'remove', name: call.name })}
              >
                ×
              </IconButton>
            </li>
          ))}
        </ul>
        <div className="flex items-center gap-2">
          <Button size="small" onClick={() => void bring()}>
            Import…
          </Button>
          {calls.saved.length > 0 && <Download content={callsFile(calls.saved)} name="saved-calls.json" />}
          <span role="status" className="text-small text-muted">
            {said}
          </span>
        </div>
      </div>
    </Dialog>
  );
}
