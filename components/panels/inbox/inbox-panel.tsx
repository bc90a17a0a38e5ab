import { type FormEvent, useLayoutEffect, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextInput } from '@/components/ui/inputs';
import { EmptyState, ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useStandingAnswers } from '@/lib/hooks/standing-answers';
import type { Log } from '@/lib/store/log';
import { STATUS_LABELS } from '@/lib/store/rows/row-text';
import type { InboxState, Question } from '@/lib/store/state/state';
import { CLIENT_FEATURES, type ClientFeature, type Root } from '@/lib/wire/connection-settings';
import { formatCount } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { Catalogue } from '../shared/catalogue';
import { QuestionDetail } from './question-detail';
import { StandingList } from './standing-list';

/** Keys of the other entries in the list of questions, and in the page's address. */
const ROOTS = 'roots';
const STANDING = 'standing';

/** The server's questions to the user, waiting ones first, the standing answers, and the roots it may ask for. */
export function InboxPanel({ log }: { readonly log: Log }) {
  const { waiting, closed } = useLogState(log, (state) => state.inbox);
  const roots = useLogState(log, (state) => state.connection.roots);
  const { item, navigate } = useLocation();
  const readOnly = useReadOnly(log);
  const ended = useClosedReason(log) !== undefined;
  const standing = useStandingAnswers(log.connection, closed.length, !readOnly && !ended);
  const answers = standing.reply?.answers.length;
  const items = useMemo(
    () => [
      ...[...waiting, ...closed].map((question) => ({
        key: question.key,
        name: question.message || question.method,
        isProse: question.message !== '',
        detail: question.message ? question.method : question.input,
        ...(question.status === 'waiting' && { attention: STATUS_LABELS.pending }),
      })),
      ...(answers === undefined
        ? []
        : [
            {
              ...{ key: STANDING, name: 'Standing answers', isProse: true },
              detail: answers === 0 ? 'none' : formatCount(answers),
            },
          ]),
      { key: ROOTS, name: 'Roots', isProse: true, detail: rootsText(roots?.length ?? 0) },
    ],
    [waiting, closed, roots, answers],
  );
  const question = shownQuestion({ waiting, closed }, item, readOnly);
  const shown = question?.key;
  // Keep the shown question in the address. Otherwise another could replace it and receive the answer.
  useLayoutEffect(() => {
    if (!readOnly && item === undefined && shown !== undefined) navigate({ item: shown }, { replace: true });
  }, [readOnly, item, shown, navigate]);
  return (
    <Catalogue what="questions" items={items} selected={item === ROOTS || item === STANDING ? item : question?.key}>
      {item === ROOTS ? (
        <Roots log={log} />
      ) : item === STANDING ? (
        <StandingList standing={standing} />
      ) : question ? (
        <QuestionDetail key={question.key} log={log} question={question} />
      ) : item === undefined ? (
        <EmptyInbox log={log} />
      ) : (
        <EmptyState title="This question is not in the log">Choose one from the list</EmptyState>
      )}
    </Catalogue>
  );
}

function rootsText(count: number): string {
  if (count === 0) return 'none';
  return count === 1 ? '1 root' : `${count} roots`;
}

/**
 * Returns the question named in the address, or the oldest waiting one. A read-only log without a waiting question
 * shows the newest finished one.
 */
export function shownQuestion(
  { waiting, closed }: InboxState,
  item: string | undefined,
  readOnly = false,
): Question | undefined {
  if (item === undefined) return waiting[0] ?? (readOnly ? closed[0] : undefined);
  return [...waiting, ...closed].find(({ key }) => key === item);
}

const FEATURE_LABELS: Readonly<Record<ClientFeature, string>> = {
  elicitation: 'form input (elicitation)',
  'elicitation-url': 'you to open a URL (elicitation by URL)',
  sampling: 'model output (sampling)',
  roots: 'roots',
};

/** Says what appears here, and how to get it. */
export function EmptyInbox({ log }: { readonly log: Log }) {
  const features = useLogState(log, (state) => state.connection.start?.features ?? CLIENT_FEATURES);
  return (
    <EmptyState title="No questions are waiting">
      <p>Questions from the server appear here, usually while you call one of its tools.</p>
      <p className="mt-2">
        {features.length === 0
          ? 'This connection declares no client capabilities, so its server must not ask anything.'
          : `This server may ask for ${features.map((feature) => FEATURE_LABELS[feature]).join(', ')}.`}{' '}
        You choose client capabilities when you add the server.
      </p>
    </EmptyState>
  );
}

const NONE: readonly Root[] = [];

/** Edits the roots that this connection sends to its server. There are none at first. */
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
        Sent when the server requests <code className="font-mono text-wire">roots/list</code>.{' '}
        {declared
          ? modern
            ? 'The server sees a change with its next request.'
            : 'The server is notified of changes.'
          : 'This connection does not declare roots, so the server must not ask for them.'}
      </p>
      {roots.length === 0 && <p>No roots: the server gets an empty list</p>}
      {roots.length > 0 && (
        <ul aria-label="Roots" className="flex flex-col gap-1">
          {roots.map((root, index) => (
            <RootItem
              // biome-ignore lint/suspicious/noArrayIndexKey: the same root may be there twice
              key={index}
              root={root}
              disabled={!open}
              onRemove={() => void change(roots.filter((_, at) => at !== index))}
            />
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

function RootItem({
  root: { uri, name },
  disabled,
  onRemove,
}: {
  readonly root: Root;
  readonly disabled: boolean;
  readonly onRemove: () => void;
}) {
  return (
    <li className="flex min-w-0 items-center gap-2">
      <code className="min-w-0 font-mono text-wire break-all">{visibleText(uri)}</code>
      {name !== undefined && <span className="text-muted">{visibleText(name)}</span>}
      {!/^file:\/\//i.test(uri) && <span className="text-small text-warn">! not a file: URI</span>}
      <span className="flex-1" />
      <Button size="small" aria-label={`Remove ${visibleText(uri)}`} disabled={disabled} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}
