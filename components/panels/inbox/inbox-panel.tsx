import { type FormEvent, useLayoutEffect, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { focusForm } from '@/components/ui/focus';
import { TextInput } from '@/components/ui/inputs';
import { EmptyState, ErrorNote } from '@/components/ui/notices';
import { Split } from '@/components/ui/split';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useReadOnly } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { InboxState, Question } from '@/lib/store/state/state';
import { CLIENT_FEATURES, type ClientFeature, type Root } from '@/lib/wire/connection-settings';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { EntryList } from '../shared/entry-list';
import { QuestionDetail } from './question-detail';

/** Address of the roots among the questions. */
const ROOTS = 'roots';

/** What the server asks of the person: what waits for an answer, what became of the rest, and the roots it may be told. */
export function InboxPanel({ log }: { readonly log: Log }) {
  const { waiting, closed } = useLogState(log, (state) => state.inbox);
  const roots = useLogState(log, (state) => state.connection.roots);
  const { item, navigate } = useLocation();
  const items = useMemo(
    () => [
      ...[...waiting, ...closed].map((question) => ({
        key: question.key,
        name: question.message || question.method,
        detail: question.message ? question.method : question.input,
        ...(question.status === 'waiting' && { attention: log === log.whole ? 'waits' : 'waited' }),
      })),
      { key: ROOTS, name: 'Roots', detail: rootsWords(roots?.length ?? 0) },
    ],
    [log, waiting, closed, roots],
  );
  const readOnly = useReadOnly(log);
  const question = shownQuestion({ waiting, closed }, item, readOnly);
  const shown = question?.key;
  // A question that is shown stays: one that takes its place as it is withdrawn would get the answer that was meant for it.
  useLayoutEffect(() => {
    if (!readOnly && item === undefined && shown !== undefined) navigate({ item: shown }, { replace: true });
  }, [readOnly, item, shown, navigate]);
  return (
    <Split
      id="inbox"
      orientation="horizontal"
      label="Resize list of questions"
      startSize="240px"
      startMin="140px"
      endMin="320px"
      start={
        <EntryList
          what="questions"
          items={items}
          selected={item === ROOTS ? ROOTS : question?.key}
          onSelect={(key) => navigate({ item: key })}
          onOpen={() => focusForm()}
        />
      }
      end={
        item === ROOTS ? (
          <Roots log={log} />
        ) : question ? (
          <QuestionDetail key={question.key} log={log} question={question} />
        ) : item === undefined ? (
          <EmptyInbox log={log} />
        ) : (
          <EmptyState title="No such question in this log">Choose one from the list.</EmptyState>
        )
      }
    />
  );
}

function rootsWords(count: number): string {
  if (count === 0) return 'none are told';
  return count === 1 ? '1 is told' : `${count} are told`;
}

/**
 * The question that the address names, whatever became of it. If it names none, the oldest that waits; where nobody is there to
 * answer, else the newest that is over.
 */
export function shownQuestion(
  { waiting, closed }: InboxState,
  item: string | undefined,
  readOnly = false,
): Question | undefined {
  if (item === undefined) return waiting[0] ?? (readOnly ? closed[0] : undefined);
  return [...waiting, ...closed].find(({ key }) => key === item);
}

const WORDS: Readonly<Record<ClientFeature, string>> = {
  elicitation: 'forms to fill in (elicitation)',
  'elicitation-url': 'addresses to open (elicitation by URL)',
  sampling: 'the words of a model (sampling)',
  roots: 'roots',
};

/** What would be here, and how to get it. */
export function EmptyInbox({ log }: { readonly log: Log }) {
  const features = useLogState(log, (state) => state.connection.start?.features ?? CLIENT_FEATURES);
  return (
    <EmptyState title="Nothing waits for you">
      <p>Here a server asks something of you: usually while you call one of its tools, which waits for the answer.</p>
      <p className="mt-2">
        {features.length === 0
          ? 'This connection declares no client capability, so its server is to ask nothing.'
          : `This connection lets its server ask for ${features.map((feature) => WORDS[feature]).join(', ')}.`}{' '}
        Client capabilities are chosen where the server is added.
      </p>
    </EmptyState>
  );
}

const NONE: readonly Root[] = [];

/** The roots that this connection tells when it is asked: kept by the person, none at first. */
export function Roots({ log }: { readonly log: Log }) {
  const client = useClient();
  const roots = useLogState(log, (state) => state.connection.roots ?? NONE);
  const open = useLogState(log.whole, (state) => state.connection.state === 'open');
  const modern = useLogState(log, (state) => state.connection.era === 'modern');
  const declared = useLogState(log, ({ connection }) =>
    (connection.start?.features ?? CLIENT_FEATURES).includes('roots'),
  );
  const [uri, setUri] = useState('');
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const change = async (next: readonly Root[]) => {
    setFailure(undefined);
    try {
      await client.send({ type: 'set-roots', connection: log.connection, roots: next });
      return true;
    } catch (error) {
      setFailure(error as Failure);
      return false;
    }
  };
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (uri === '' || roots.length >= LIMITS.roots) return;
    if (await change([...roots, { uri, ...(name !== '' && { name }) }])) {
      setUri('');
      setName('');
    }
  };
  return (
    <div className="flex min-h-0 max-w-[760px] flex-1 flex-col gap-3 overflow-auto p-3">
      <h2 className="font-medium">Roots</h2>
      <p className="text-muted">
        A server that asks <code className="font-mono text-wire">roots/list</code> is told these at once.{' '}
        {declared
          ? modern
            ? 'In this version servers hear of a change when they ask again.'
            : 'A change is announced to it.'
          : 'This connection does not declare roots, so the server is to ask for none.'}
      </p>
      {roots.length === 0 && <p>None: the answer is an empty list.</p>}
      {roots.length > 0 && (
        <ul aria-label="Roots" className="flex flex-col gap-1">
          {roots.map((root, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same root may be there twice
            <li key={index} className="flex min-w-0 items-center gap-2">
              <code className="min-w-0 font-mono text-wire break-all">{visibleText(root.uri)}</code>
              {root.name !== undefined && <span className="text-muted">{visibleText(root.name)}</span>}
              {!/^file:\/\//i.test(root.uri) && <span className="text-small text-warn">! no file: URI</span>}
              <span className="flex-1" />
              <Button
                size="small"
                aria-label={`Remove ${visibleText(root.uri)}`}
                disabled={!open}
                onClick={() => void change(roots.filter((_, at) => at !== index))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={(event) => void add(event)} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-60">
          <TextInput mono label="URI" placeholder="file:///home/me/project" value={uri} onChange={setUri} />
        </div>
        <div className="min-w-0 basis-40">
          <TextInput label="Name (optional)" value={name} onChange={setName} />
        </div>
        <Button type="submit" disabled={!open || uri === '' || roots.length >= LIMITS.roots}>
          Add root
        </Button>
      </form>
      {failure && <ErrorNote failure={failure} />}
    </div>
  );
}
