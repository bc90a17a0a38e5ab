import { useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { TextInput } from '@/components/ui/inputs';
import { MENU_BUTTON, Menu } from '@/components/ui/menu';
import type { MenuItem } from '@/components/ui/menu-list';
import { Sentence } from '@/components/ui/notices';
import { Download } from '@/components/untrusted/download';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { SavedCalls } from '@/lib/hooks/saved-calls';
import { compactJson, parseExactJson, stringifyJson, tryParseJson } from '@/lib/json/exact';
import { isObject, own } from '@/lib/json/value';
import { LIMITS } from '@/lib/wire/limits';
import type { SavedCall } from '@/lib/wire/saved-calls';
import { chooseFile } from './insert-file';
import { hasSecrets, withoutSecrets } from './secrets';
import type { DocumentState } from './use-document';

/** Returns arguments to save, without values whose names look secret. Undefined if they are too long or not JSON. */
export function storableArguments(text: string): string | undefined {
  if (text.length > LIMITS.keptCallChars) return undefined;
  if (text.trim() === '') return '';
  const parsed = tryParseJson(text);
  if (!parsed.ok) return undefined;
  const kept = hasSecrets(text, true) ? stringifyJson(withoutSecrets(parsed.value), 2) : text;
  return kept.length > LIMITS.keptCallChars ? undefined : kept;
}

/** Returns saved calls as the text of a file. */
export function callsToFile(saved: readonly SavedCall[]): string {
  const calls = saved.map(({ name, text }) => ({
    name,
    arguments: text.trim() === '' ? undefined : parseExactJson(text),
  }));
  return stringifyJson({ format: 'mcp-inspect calls', version: 1, calls }, 2);
}

/** Returns the calls in a file that can be saved; undefined if it is not a file of saved calls. */
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
  /** The documents that are kept: `arguments` of calls by default. */
  readonly what?: 'arguments' | 'answers';
}

/** A menu with the saved calls and recent arguments of a tool, or with answers to a server's questions. */
export function HistoryMenu({ saved, document, what = 'arguments' }: HistoryMenuProps) {
  const { calls, failure, change, readAgain } = saved;
  const [managing, setManaging] = useState(false);
  const items = (): readonly MenuItem[] => [
    { label: 'Save, import, export…', run: () => setManaging(true) },
    ...(failure
      ? [
          {
            label: (
              <span className="text-error">
                <Sentence text={failure.message} />
              </span>
            ),
            run: () => setManaging(true),
          },
        ]
      : []),
    ...calls.saved.map(({ name, text }, index) => ({
      label: <UntrustedText text={name} limit={80} />,
      separatorBefore: index === 0,
      run: () => document.fill(text),
    })),
    ...calls.recent.map((text, index) => ({
      label: <UntrustedText text={text === '' ? `no ${what}` : compactJson(text)} limit={80} className="font-mono" />,
      separatorBefore: index === 0,
      run: () => document.fill(text),
    })),
    ...(calls.recent.length > 0
      ? [{ label: `Forget recent ${what}`, separatorBefore: true, run: () => void change({ kind: 'forget' }) }]
      : []),
    ...(calls.off
      ? []
      : [
          {
            // One switch for both.
            label: `${calls.remembers ? 'Stop remembering' : 'Remember'} arguments${what === 'answers' ? ' and answers' : ''}`,
            separatorBefore: calls.recent.length === 0,
            run: () => void change({ kind: 'remembers', on: !calls.remembers }),
          },
        ]),
  ];
  return (
    <>
      <Menu label="History" items={items} onOpen={readAgain} className={MENU_BUTTON}>
        History <Icon name="down" />
      </Menu>
      {managing && <SavedDialog {...{ saved, document, what }} onClose={() => setManaging(false)} />}
    </>
  );
}

interface SavedDialogProps extends Required<HistoryMenuProps> {
  readonly onClose: () => void;
}

const PLACES = {
  folder: 'Saved in your data folder and shared by all your mcp-inspect runs. Secrets are removed or masked.',
  browser: 'Saved in this browser only. Values whose names look secret are removed.',
} as const;

/** Saves the document under a name, and lists, imports and exports saved ones. */
function SavedDialog({ saved, document, what, onClose }: SavedDialogProps) {
  const { calls, change, failure, place } = saved;
  const [name, setName] = useState('');
  const [said, setSaid] = useState<string>();
  const taken = calls.saved.some((call) => call.name === name.trim());
  const importCalls = async () => {
    const file = await chooseFile('text');
    if (file === undefined) return;
    const found = callsFromFile(file);
    if (found === undefined) return setSaid('This file has no saved calls. Choose one exported here.');
    const kept = await Promise.all(found.map((call) => change({ kind: 'save', ...call })));
    setSaid(`Imported: ${kept.filter(Boolean).length}`);
  };
  const save = async () => {
    const text = storableArguments(document.text);
    if (text === undefined) return setSaid('This is too long to save. Keep it in a file.');
    setSaid(undefined);
    // Keep the name if saving failed, to try again.
    if (await change({ kind: 'save', name: name.trim(), text })) setName('');
  };
  return (
    <Dialog title={what === 'answers' ? 'Saved answers' : 'Saved calls'} onClose={onClose} width="narrow">
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
              label={what === 'answers' ? 'Save answer as' : 'Save arguments as'}
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
            <Sentence text={`${failure.message} ${failure.advice}`} />
          </p>
        )}
        <ul className="flex flex-col">
          {calls.saved.map((call) => (
            <SavedCallItem
              key={call.name}
              call={call}
              onUse={() => {
                document.fill(call.text);
                onClose();
              }}
              onRemove={() => void change({ kind: 'remove', name: call.name })}
            />
          ))}
        </ul>
        <div className="flex items-center gap-2">
          <Button size="small" onClick={() => void importCalls()}>
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

function SavedCallItem({
  call,
  onUse,
  onRemove,
}: {
  readonly call: SavedCall;
  readonly onUse: () => void;
  readonly onRemove: () => void;
}) {
  return (
    <li className="flex min-w-0 items-center gap-2 border-t border-line py-1">
      <UntrustedText text={call.name} limit={80} className="shrink-0" />
      <span className="min-w-0 flex-1 truncate font-mono text-small text-muted">
        <UntrustedText text={call.text === '' ? 'no arguments' : compactJson(call.text)} limit={120} />
      </span>
      <Button size="small" onClick={onUse}>
        Use
      </Button>
      <IconButton label={`Remove ${call.name}`} onClick={onRemove}>
        ×
      </IconButton>
    </li>
  );
}
