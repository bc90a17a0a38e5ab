import { memo, useId, useMemo, useState } from 'react';
import { openQuestion } from '@/components/answers/open-question';
import { JsonEditor } from '@/components/editor/json-editor';
import { Button } from '@/components/ui/button';
import { Chevron, Icon } from '@/components/ui/icon';
import { Checkbox, FIELD } from '@/components/ui/inputs';
import { MENU_BUTTON, Menu } from '@/components/ui/menu';
import { Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { PreformattedText, UntrustedText } from '@/components/untrusted/untrusted-text';
import { type AnswerTurn, type CallState, type ChatCall, callState } from '@/features/chat/lib/chat-state';
import { qualifiedName, toolNamed } from '@/features/chat/lib/tool-names';
import { useDraft } from '@/lib/hooks/drafts';
import { useLog, useLogState } from '@/lib/hooks/log';
import { prettyJson } from '@/lib/json/exact';
import { JsonSource } from '@/lib/json/source';
import { isObject } from '@/lib/json/value';
import { formatCount, formatDuration } from '@/lib/wire/format';
import { FrameOfServer } from './frame-of-server';
import { Parts } from './parts';
import type { ChatActions } from './use-chat-actions';

/** Characters of the arguments on one line. */
const PREVIEW_CHARS = 160;

const STATES: Readonly<Record<CallState, readonly [glyph: string, word: string, colour: string]>> = {
  written: ['·', 'written', 'text-muted'],
  waiting: ['?', 'needs approval', 'text-accent'],
  running: ['', 'running', 'text-accent'],
  done: ['✓', 'ok', 'text-muted'],
  failed: ['×', 'error', 'text-error'],
  answered: ['✎', 'answered by hand', 'text-muted'],
  refused: ['⊘', 'refused', 'text-warn'],
  stopped: ['!', 'stopped', 'text-warn'],
};

interface CallRowProps {
  readonly call: ChatCall;
  readonly turn: AnswerTurn;
  /** Changes with the turn, whose parts change in place. */
  readonly version: number;
  /** Absent if the chat is only to read. */
  readonly actions: ChatActions | undefined;
}

/** The calls that a person has opened or closed. A call out of view is not drawn. */
const CHOSEN = new WeakMap<ChatCall, boolean>();

/** A call of the model: its state, arguments, the person's decision and the result. */
export const CallRow = memo(function CallRow({ call, turn, actions }: CallRowProps) {
  const state = callState(call, turn);
  const [chosen, choose] = useState(CHOSEN.get(call));
  const setChosen = (isOpen: boolean) => {
    CHOSEN.set(call, isOpen);
    choose(isOpen);
  };
  const open = chosen ?? state === 'waiting';
  const id = useId();
  const [glyph, word, colour] = STATES[state];
  const { name } = call.call;
  const text = changedArguments(call) ?? call.call.arguments;
  return (
    <div className="my-1 min-w-0 rounded border border-line bg-surface">
      <div className="flex min-h-7 min-w-0 items-center gap-2 px-2">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setChosen(!open)}
          className="flex min-w-0 flex-1 items-center gap-2 py-1 text-left narrow:flex-wrap"
        >
          <Chevron open={open} />
          <CallName name={name} tool={call.tool} isAlone={turn.settings?.servers.length === 1} />
          <span className="min-w-0 flex-1 truncate font-mono text-wire text-muted narrow:hidden">
            <UntrustedText text={text.slice(0, PREVIEW_CHARS)} />
          </span>
          {changedArguments(call) !== undefined && (
            <span className="shrink-0 text-small text-muted">changed by you</span>
          )}
          <span className={`flex shrink-0 items-center gap-1 text-small ${colour}`}>
            {state === 'running' ? <Spinner /> : <span aria-hidden="true">{glyph}</span>}
            {word}
          </span>
          {(state === 'done' || state === 'failed') && (call.milliseconds ?? 0) > 0 && (
            <span className="tabular shrink-0 text-small text-muted narrow:hidden">
              {formatDuration((call.milliseconds ?? 0) * 1000)}
            </span>
          )}
        </button>
        {call.sent && (
          <span className="flex shrink-0 gap-2 text-small">
            {state === 'running' && actions && <WaitingQuestion connection={call.sent.connection} />}
            <FrameOfServer frame={call.sent} isLive={actions !== undefined} />
          </span>
        )}
      </div>
      {open && (
        <div id={id} className="flex min-w-0 flex-col gap-2 border-t border-line p-2">
          <RenderGuard fallback={<p className="text-warn">! This call can’t be drawn. See its frame in the log</p>}>
            <CallDetail call={call} serverName={actions?.serverOf(call) ?? call.server} />
          </RenderGuard>
          {state === 'waiting' && actions && <DecisionBar call={call} turn={turn} actions={actions} />}
        </div>
      )}
    </div>
  );
});

/**
 * The name that the model knows. Where there is little room, the server's part of it is cut first. In a chat with one
 * server, only the tooltip has that part.
 */
function CallName({
  name,
  tool,
  isAlone,
}: {
  readonly name: string;
  readonly tool: string | undefined;
  readonly isAlone: boolean;
}) {
  const end = tool !== undefined && name.endsWith(tool) ? tool.length : name.length;
  return (
    <span
      className="flex max-w-3/4 min-w-0 shrink-0 font-mono text-wire font-medium narrow:max-w-none narrow:flex-1 narrow:shrink narrow:flex-wrap narrow:break-all"
      title={visibleText(name.slice(0, 300))}
    >
      <span className="min-w-6 shrink-[1000] truncate empty:hidden narrow:whitespace-normal">
        {!isAlone && <UntrustedText text={name.slice(0, -end)} limit={128} />}
      </span>
      <span className="min-w-0 truncate narrow:whitespace-normal">
        <UntrustedText text={name.slice(-end)} limit={128} />
      </span>
    </span>
  );
}

/** Leads to the question of a server that its call waits for. */
function WaitingQuestion({ connection }: { readonly connection: string }) {
  const waits = useLogState(useLog(connection), ({ inbox }) => inbox.waiting.length > 0);
  if (!waits) return null;
  return (
    <button type="button" className="text-link" onClick={() => openQuestion({ connection })}>
      waits for your answer
    </button>
  );
}

/** Returns the arguments that the person wrote in the place of the model's. */
function changedArguments({ decision }: ChatCall): string | undefined {
  return decision?.kind === 'run' ? decision.arguments : undefined;
}

function CallDetail({ call, serverName }: { readonly call: ChatCall; readonly serverName: string | undefined }) {
  const { arguments: text } = call.call;
  const changed = changedArguments(call);
  const { faults, tool, result, decision, by, cutFrom } = call;
  // The result says why it was not sent.
  const isExplained = by === 'loop' && result !== undefined;
  return (
    <>
      <p className="flex empty:hidden flex-wrap gap-x-2 text-small wrap-anywhere text-muted">
        {tool !== undefined && serverName !== undefined && (
          <span>
            <UntrustedText text={tool} limit={128} className="font-mono" /> of{' '}
            <UntrustedText text={serverName} limit={80} />
          </span>
        )}
        {by === 'rule' && <span>ran without asking</span>}
      </p>
      {!isExplained &&
        faults.map(({ code, message }) => (
          <p key={code} className="text-warn">
            ! <UntrustedText text={message} limit={500} />
          </p>
        ))}
      {changed !== undefined && (
        <section aria-label="Arguments changed by you" className="min-w-0">
          <p className="text-small text-muted">Changed by you</p>
          <Arguments text={changed} />
        </section>
      )}
      <section aria-label="Arguments" className="min-w-0">
        {changed !== undefined && <p className="text-small text-muted">The model asked</p>}
        <Arguments text={text} />
      </section>
      {!isExplained && decision?.kind === 'refuse' && decision.reason && (
        <p className="text-muted">
          Refused: <UntrustedText text={decision.reason} limit={300} />
        </p>
      )}
      {result && (
        <section aria-label="Result" className="min-w-0">
          {cutFrom !== undefined && (
            <p className="text-warn">! The model got only the beginning of {formatCount(cutFrom)} characters</p>
          )}
          <Parts parts={result.parts} />
        </section>
      )}
    </>
  );
}

function Arguments({ text }: { readonly text: string }) {
  const json = useMemo(() => JsonSource.parse(text), [text]);
  return json ? <JsonTree json={json} /> : <PreformattedText text={text} />;
}

/** Asks the person to decide about a call that waits. */
function DecisionBar({ call, turn, actions }: Pick<CallRowProps, 'call' | 'turn'> & { readonly actions: ChatActions }) {
  const { id, name } = call.call;
  const [mode, setMode] = useState<'answer' | 'edit'>();
  const [text, setText] = useDraft<string>(`chat-answer:${id} ${call.call.arguments.slice(0, PREVIEW_CHARS)}`, '');
  const [isError, setIsError] = useState(false);
  const { decide } = actions;
  if (mode === 'edit') {
    return (
      <ArgumentsEditor
        call={call}
        onRun={(changed) => decide(id, changed === undefined ? { kind: 'run' } : { kind: 'run', arguments: changed })}
        onBack={() => setMode(undefined)}
      />
    );
  }
  if (mode === 'answer') {
    return (
      <form
        className="flex min-w-0 flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          decide(id, { kind: 'answer', text, ...(isError && { isError }) });
          setText('');
        }}
      >
        <textarea
          aria-label="Answer in place of the tool"
          // The person pressed the button to type here.
          // biome-ignore lint/a11y/noAutofocus: see above
          autoFocus
          rows={4}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className={`${FIELD} h-auto resize-y py-1 font-mono text-wire`}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary">
            Send answer
          </Button>
          <Button variant="ghost" onClick={() => setMode(undefined)}>
            Back
          </Button>
          <Checkbox checked={isError} onChange={setIsError} label="isError" />
        </div>
      </form>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out inline
    <div role="group" aria-label={`Decide on ${name}`} className="flex flex-wrap items-center gap-1">
      <Button variant="primary" onClick={() => decide(id, { kind: 'run' })}>
        Run
      </Button>
      <Button onClick={() => setMode('edit')}>Edit</Button>
      <Button onClick={() => setMode('answer')}>Answer by hand</Button>
      <Button onClick={() => decide(id, { kind: 'refuse' })}>Refuse</Button>
      <Menu
        label="Run without asking"
        className={MENU_BUTTON}
        items={() => [
          {
            label: 'Always run this tool',
            run: () => {
              const offered = toolNamed(turn.requests.at(-1)?.tools ?? [], name);
              decide(id, { kind: 'run' }, { tool: offered ? qualifiedName(offered) : name });
            },
          },
          { label: 'Allow all calls in this chat', run: () => decide(id, { kind: 'run' }, 'all') },
        ]}
      >
        Always <Icon name="down" />
      </Menu>
    </div>
  );
}

/** Changes the arguments of a call that waits. */
function ArgumentsEditor({
  call: { call },
  onRun,
  onBack,
}: {
  readonly call: ChatCall;
  /** `changed`: undefined if they are as the model wrote them. */
  readonly onRun: (changed: string | undefined) => void;
  readonly onBack: () => void;
}) {
  const first = useMemo(() => (isJsonObject(call.arguments) ? prettyJson(call.arguments) : call.arguments), [call]);
  const [text, setText] = useDraft<string>(
    `chat-edit-call:${call.id} ${call.arguments.slice(0, PREVIEW_CHARS)}`,
    first,
  );
  const isUsable = isJsonObject(text);
  const run = () => {
    if (isUsable) onRun(text === first ? undefined : text);
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <JsonEditor label="Changed arguments" text={text} onChange={setText} onSubmit={run} className="h-40 resize-y" />
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" disabled={!isUsable} onClick={run}>
          {text === first ? 'Run' : 'Run with these'}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          Back
        </Button>
        {!isUsable && <span className="text-small text-warn">! Arguments are a JSON object</span>}
      </div>
    </div>
  );
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
