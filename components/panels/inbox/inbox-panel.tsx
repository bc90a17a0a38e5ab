import { useLayoutEffect, useMemo } from 'react';
import { EntryList } from '@/components/catalogue/entry-list';
import { EmptyState } from '@/components/ui/empty-state';
import { focusForm } from '@/components/ui/focus-form';
import { Split } from '@/components/ui/split';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import { useReadOnly } from '@/lib/hooks/use-read-only';
import type { Log } from '@/lib/store/log';
import { NothingWaits } from './nothing-waits';
import { QuestionDetail } from './question-detail';
import { Roots } from './roots';
import { shownQuestion } from './shown-question';

/** Address of the roots among the questions. */
const ROOTS = 'roots';

/** What the server asks of the person: what waits for an answer, what became of the rest, and the roots it may be told. */
export function InboxPanel({ log }: { readonly log: Log }) {
  const { waiting, over } = useLogState(log, (state) => state.inbox);
  const roots = useLogState(log, (state) => state.connection.roots);
  const { item, navigate } = useLocation();
  const items = useMemo(
    () => [
      ...[...waiting, ...over].map((question) => ({
        key: question.key,
        name: question.message || question.method,
        detail: question.message ? question.method : question.input,
        ...(question.status === 'waiting' && { calls: log === log.whole ? 'waits' : 'waited' }),
      })),
      { key: ROOTS, name: 'Roots', detail: rootsWords(roots?.length ?? 0) },
    ],
    [log, waiting, over, roots],
  );
  const readOnly = useReadOnly(log);
  const question = shownQuestion({ waiting, over }, item, readOnly);
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
          <NothingWaits log={log} />
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
