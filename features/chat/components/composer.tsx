import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { OptionList } from '@/components/ui/combobox';
import { focusWhenRendered } from '@/components/ui/focus';
import { Icon } from '@/components/ui/icon';
import { FIELD, TextInput } from '@/components/ui/inputs';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { ServerOffer } from '@/features/chat/lib/chat-api';
import type { ChatPart } from '@/features/chat/lib/chat-frame';
import { useDraft } from '@/lib/hooks/drafts';
import { formatBytes, formatCount } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { type Insertion, insertionsFor, wordBefore } from './insertions';
import { useAskChats } from './use-chats';

/** A resource that goes with the message. */
interface Attachment {
  readonly uri: string;
  readonly parts: readonly ChatPart[];
  /** Characters of the whole, if this is only a part of it. */
  readonly cutFrom?: number;
}

const NONE: readonly Attachment[] = [];

interface ComposerProps {
  /** Key of the draft. */
  readonly draft: string;
  /** Id of the chat; absent if it has not begun. */
  readonly chat?: string;
  readonly offers: readonly ServerOffer[];
  /** Why nothing can be sent; undefined if it can. */
  readonly blocked: string | undefined;
  /** The model is answering. */
  readonly busy: boolean;
  /** Resolves to true once the chat has the message. */
  readonly onSend: (parts: readonly ChatPart[]) => Promise<boolean>;
  readonly onCancel: () => void;
  /** Shown beside the buttons. */
  readonly children?: ReactNode;
}

/** Animation frames to wait for the first frames of a chat: two seconds. */
const CHAT_FRAMES = 120;

/** Focuses the message box of a chat that has just begun, once it is there. */
export function focusMessage(chat: string): void {
  focusWhenRendered(() => {
    const control = document.querySelector<HTMLElement>(`[data-chat="${CSS.escape(chat)}"]`);
    return control ? { control, within: control } : undefined;
  }, CHAT_FRAMES);
}

/** The box for the next message. `/` inserts a prompt of a server, `@` attaches a resource. */
export function Composer({ draft, chat, offers, blocked, busy, onSend, onCancel, children }: ComposerProps) {
  const [text, setText] = useDraft<string>(`chat-text:${draft}`, '');
  const [attached, setAttached] = useDraft<readonly Attachment[]>(`chat-attached:${draft}`, NONE);
  const box = useRef<HTMLTextAreaElement>(null);
  const sending = useRef(false);
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
  const [prompt, setPrompt] = useState<Insertion>();
  const insert = useInsert({
    addText: (added) => setText((now) => (now === '' || /\s$/.test(now) ? now + added : `${now}\n${added}`)),
    attach: (attachment) => setAttached((now) => [...now, attachment]),
  });
  const listId = useId();
  const word = wordBefore(text, caret);
  const options = word && closedAt !== word.start ? insertionsFor(offers, word) : [];
  const chosen = Math.min(active, options.length - 1);
  const canSend = blocked === undefined && !busy && (text.trim() !== '' || attached.length > 0);

  const choose = (insertion: Insertion) => {
    setText(text.slice(0, word!.start) + text.slice(caret));
    setCaret(word!.start);
    if (insertion.arguments.length > 0) setPrompt(insertion);
    else void insert.run(insertion, {});
    moveFocus(box.current);
  };
  const send = async () => {
    // A second Enter must not send the same message again.
    if (!canSend || sending.current) return;
    const parts: ChatPart[] = text.trim() === '' ? [] : [{ type: 'text', text }];
    sending.current = true;
    const sent = await onSend([...parts, ...attached.flatMap(partsOf)]).finally(() => {
      sending.current = false;
    });
    if (!sent) return;
    // Keep anything typed or attached while the message was being sent.
    setText((now) => (now === text ? '' : now));
    setAttached((now) => now.filter((one) => !attached.includes(one)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (options.length > 0 && step !== undefined) {
      event.preventDefault();
      setActive((chosen + step + options.length) % options.length);
    } else if (options.length > 0 && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault();
      choose(options[chosen]!);
    } else if (options.length > 0 && event.key === 'Escape') {
      event.preventDefault();
      setClosedAt(word!.start);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <div className="shrink-0 border-t border-line px-3 py-2">
      <div className="mx-auto flex max-w-[860px] min-w-0 flex-col gap-2">
        {prompt && (
          <PromptForm
            key={prompt.key}
            prompt={prompt}
            onInsert={(values) => {
              setPrompt(undefined);
              void insert.run(prompt, values);
              moveFocus(box.current);
            }}
            onCancel={() => setPrompt(undefined)}
          />
        )}
        {insert.failure && <ErrorNote failure={insert.failure} />}
        {attached.length > 0 && (
          <ul aria-label="Attached" className="flex flex-wrap gap-1">
            {attached.map((attachment, index) => (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: the same resource may be attached twice
                key={index}
                className="inline-flex h-6 max-w-full items-center gap-1 rounded border border-line pl-2 text-small"
              >
                <span className="min-w-0 truncate font-mono">
                  <UntrustedText text={attachment.uri} limit={100} />
                </span>
                <span className="shrink-0 text-muted">{formatBytes(sizeOf(attachment))}</span>
                {attachment.cutFrom !== undefined && (
                  <span className="shrink-0 text-warn">! cut from {formatCount(attachment.cutFrom)} characters</span>
                )}
                <IconButton label="Remove" onClick={() => setAttached(attached.filter((_, at) => at !== index))}>
                  <Icon name="close" />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        <textarea
          ref={box}
          data-chat={chat}
          aria-label="Message"
          aria-haspopup="listbox"
          aria-controls={options.length > 0 ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${listId}-${chosen}` : undefined}
          rows={Math.min(10, Math.max(2, text.split('\n').length))}
          placeholder="Message. / for prompts, @ for resources"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setCaret(target.selectionStart);
            setActive(0);
            setClosedAt(undefined);
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onBlur={() => setClosedAt(word?.start)}
          onKeyDown={onKeyDown}
          className={`${FIELD} h-auto resize-none py-1.5`}
        />
        {options.length > 0 && (
          <OptionList
            id={listId}
            anchor={box.current!}
            above
            active={chosen}
            options={options.map((insertion) => ({
              key: insertion.key,
              label: <UntrustedText text={insertion.name} limit={100} className="font-mono text-wire" />,
              note: <UntrustedText text={insertion.note} limit={200} />,
            }))}
            onChoose={({ key }) => choose(options.find((one) => one.key === key)!)}
            foot={undefined}
          />
        )}
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          {busy ? (
            <Button onClick={onCancel}>Cancel</Button>
          ) : (
            <Button variant="primary" disabled={!canSend} title={blocked} onClick={() => void send()}>
              Send
            </Button>
          )}
          {insert.busy && <Spinner label="Reading" />}
          {blocked !== undefined && <span className="min-w-0 text-small text-warn">! {blocked}</span>}
          <span className="flex-1" />
          {children}
        </div>
      </div>
    </div>
  );
}

/** Reads prompts and resources, and adds them to the message. */
function useInsert({
  addText,
  attach,
}: {
  readonly addText: (text: string) => void;
  readonly attach: (attachment: Attachment) => void;
}) {
  const ask = useAskChats();
  const [busy, setBusy] = useState(0);
  const [failure, setFailure] = useState<Failure>();
  const run = async ({ kind, connection, name }: Insertion, values: Readonly<Record<string, string>>) => {
    setFailure(undefined);
    setBusy((count) => count + 1);
    try {
      if (kind === 'resource') {
        attach({ uri: name, ...(await ask({ kind: 'resource', connection, uri: name })) });
      } else {
        const { parts } = await ask({ kind: 'prompt', connection, name, arguments: values });
        const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
        if (texts.length > 0) addText(texts.join('\n\n'));
        const others = parts.filter(({ type }) => type !== 'text');
        if (others.length > 0) attach({ uri: name, parts: others });
      }
    } catch (error) {
      setFailure(error as Failure);
    }
    setBusy((count) => count - 1);
  };
  return { run, failure, busy: busy > 0 };
}

const NO_VALUES: Readonly<Record<string, string>> = {};

/** Asks for the arguments of a prompt. */
function PromptForm({
  prompt,
  onInsert,
  onCancel,
}: {
  readonly prompt: Insertion;
  readonly onInsert: (values: Readonly<Record<string, string>>) => void;
  readonly onCancel: () => void;
}) {
  const [values, setValues] = useDraft<Readonly<Record<string, string>>>(`chat-prompt:${prompt.name}`, NO_VALUES);
  const isComplete = prompt.arguments.every(({ name, required }) => !required || (values[name] ?? '') !== '');
  return (
    <form
      aria-label="Arguments of the prompt"
      className="flex max-h-60 min-w-0 flex-col gap-2 overflow-auto rounded border border-line p-2"
      onSubmit={(event) => {
        event.preventDefault();
        // Empty ones are left out, so that the server uses its defaults.
        if (isComplete) onInsert(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')));
      }}
    >
      <p className="font-mono text-wire">
        /<UntrustedText text={prompt.name} limit={100} />
      </p>
      {prompt.arguments.map(({ name, description, required }, index) => (
        <TextInput
          key={name}
          label={
            <>
              <UntrustedText text={name} limit={60} className="font-mono text-wire text-text" />
              {required && ' *'} <UntrustedText text={description} limit={200} className="text-small" />
            </>
          }
          autoFocus={index === 0}
          value={values[name] ?? ''}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <div className="flex gap-1">
        <Button type="submit" disabled={!isComplete}>
          Insert prompt
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Returns an attached resource as parts that say where they are from. */
function partsOf({ uri, parts }: Attachment): readonly ChatPart[] {
  return parts.map((part) =>
    part.type === 'text' ? { type: 'text', text: `Resource ${uri}:\n\n${part.text}` } : part,
  );
}

function sizeOf({ parts }: Attachment): number {
  return parts.reduce(
    (sum, part) =>
      sum + (part.type === 'text' ? part.text.length : part.type === 'media' ? part.data.length * 0.75 : 0),
    0,
  );
}
