import { useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { TextInput } from '@/components/ui/inputs';
import { MENU_BUTTON, Menu, type MenuItem } from '@/components/ui/menu';
import { Download } from '@/components/untrusted/download';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { SavedCalls } from '@/lib/hooks/saved-calls';
import { compactJson, parseJson, stringifyJson, tryParseJson } from '@/lib/json/exact';
import { isObject, own } from '@/lib/json/value';
import { LIMITS } from '@/lib/wire/limits';
import type { SavedCall } from '@/lib/wire/saved-calls';
import { chooseFile } from './insert-file';
import { hasSecrets, withoutSecrets } from './secrets';
import type { DocumentState } from './use-document';

/**
 * Arguments to keep: without values whose names look secret, otherwise unchanged. Undefined if too long or not JSON.
 */
export function storableArguments(text: string): string | undefined {
  if (text.length > LIMITS.keptCallChars) return undefined;
  if (text.trim() === '') return '';
  const parsed = tryParseJson(text);
  if (!parsed.ok) return undefined;
  const kept = hasSecrets(text, true) ? stringifyJson(withoutSecrets(parsed.value), 2) : text;
  return kept.length > LIMITS.keptCallChars ? undefined : kept;
}

/** Saved calls as a file: names and arguments. */
export function callsToFile(saved: readonly SavedCall[]): string {
  const calls = saved.map(({ name, text }) => ({
    name,
    arguments: text.trim() === '' ? undefined : parseJson(text),
  }));
  return stringifyJson({ format: 'mcp-inspect calls', version: 1, calls }, 2);
}

/** The calls in such a file that can be kept; undefined if it is not such a file. */
export function callsFromFile(file: string): readonly SavedCall[] | undefined {
  const parsed = tryParseJson(file);
  const calls = parsed.ok && isObject(parsed.value) ? own(parsed.value, 'calls') : undefined;
  if (!Array.isArray(calls)) return undefined;
  return calls.flatMap((call) => {
    const name = isObject(call) ? own(call, 'name') : undefined;
    if (!isObject(call) || typeof name !== 'string' || name === '') return [];
    const text = storableArguments(Object.hasOwn(call, 'arguments') ? stringifyJson(call.arguments, 2) : '');
    return text === undefined ? [] : [{ name: name.slice(0, LIMITS.savedCallNameChars), text }];
  });
}

interface HistoryMenuProps {
  readonly saved: SavedCalls;
  readonly document: DocumentState;
}

/** Saved calls by name, and the last argument sets of a tool. */
export function HistoryMenu({ saved, document }: HistoryMenuProps) {
  const { calls, failure, change, readAgain } = saved;
  const [managing, setManaging] = useState(false);
  const items = (): readonly MenuItem[] => [
    { label: 'Save these, import, export…', run: () => setManaging(true) },
    ...(failure
      ? [{ label: <span className="text-error">{failure.message}</span>, run: () => setManaging(true) }]
      : []),
    ...calls.saved.map(({ name, text }, index) => ({
      label: <UntrustedText text={name} limit={80} />,
      separatorBefore: index === 0,
      run: () => document.fill(text),
    })),
    ...calls.recent.map((text, index) => ({
      label: <UntrustedText text={text === '' ? 'no arguments' : compactJson(text)} limit={80} className="font-mono" />,
      separatorBefore: index === 0,
      run: () => document.fill(text),
    })),
    ...(calls.recent.length > 0
      ? [{ label: 'Forget recent arguments', separatorBefore: true, run: () => void change({ kind: 'forget' }) }]
      : []),
    ...(calls.off
      ? []
      : [
          {
            label: calls.remembers ? 'Do not remember arguments' : 'Remember arguments',
            separatorBefore: calls.recent.length === 0,
            run: () => void change({ kind: 'remembers', on: !calls.remembers }),
          },
        ]),
  ];
  return (
    <>
      <Menu label="History" items={items} onOpen={readAgain} className={MENU_BUTTON}>
        History ▾
      </Menu>
      {managing && <SavedDialog saved={saved} document={document} onClose={() => setManaging(false)} />}
    </>
  );
}

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
function SavedDialog({ saved, document, onClose }: SavedDialogProps) {
  const { calls, change, failure, place } = saved;
  const [name, setName] = useState('');
  const [said, setSaid] = useState<string>();
  const taken = calls.saved.some((call) => call.name === name.trim());
  const bring = async () => {
    const file = await chooseFile('text');
    if (file === undefined) return;
    const found = callsFromFile(file);
    if (found === undefined) return setSaid('This is not a file of saved calls.');
    const kept = await Promise.all(found.map((call) => change({ kind: 'save', ...call })));
    setSaid(`Added from the file: ${kept.filter(Boolean).length}.`);
  };
  const save = async () => {
    const text = storableArguments(document.text);
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
          {calls.saved.length > 0 && <Download content={callsToFile(calls.saved)} name="saved-calls.json" />}
          <span role="status" className="text-small text-muted">
            {said}
          </span>
        </div>
      </div>
    </Dialog>
  );
}
