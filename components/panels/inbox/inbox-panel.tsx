import { useLayoutEffect, useMemo } from 'react';
import { EmptyState } from '@/components/ui/notices';
import { QUESTION_FEATURES } from '@/features/question-features';
import { useProfile } from '@/lib/hooks/client-profile';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useStandingAnswers } from '@/lib/hooks/standing-answers';
import type { Log } from '@/lib/store/log';
import { STATUS_LABELS } from '@/lib/store/rows/row-text';
import type { InboxState, Question } from '@/lib/store/state/state';
import { type CapabilityPath, isDeclared } from '@/lib/wire/capability-switches';
import { declaredBy } from '@/lib/wire/client-profile';
import { formatCount } from '@/lib/wire/format';
import { Catalogue } from '../shared/catalogue';
import { RootsEditor } from '../shared/roots-editor';
import { QuestionDetail } from './question-detail';
import { StandingList } from './standing-list';

/** Keys of the other entries in the list of questions, and in the page's address. */
const ROOTS = 'roots';
const STANDING = 'standing';

/** The server's questions to the user, waiting ones first, the roots it may ask for, and the standing answers. */
export function InboxPanel({ log }: { readonly log: Log }) {
  const { waiting, closed } = useLogState(log, (state) => state.inbox);
  const roots = useLogState(log, (state) => state.connection.roots);
  const { item, navigate } = useLocation();
  const readOnly = useReadOnly(log);
  const ended = useClosedReason(log) !== undefined;
  const standing = useStandingAnswers(log.connection, closed.length, !readOnly && !ended);
  const answers = standing.reply?.answers.length;
  const features = useFeatureEntries(log.connection, readOnly);
  const questions = useMemo(
    () =>
      [...waiting, ...closed].map((question) => ({
        key: question.key,
        name: question.message || question.method,
        isProse: Boolean(question.message),
        detail: [question.message ? question.method : question.input, outcomeWord(question)]
          .filter(Boolean)
          .join(' · '),
        ...(question.status === 'waiting' && { attention: STATUS_LABELS.pending }),
      })),
    [waiting, closed],
  );
  const extra = (key: string, name: string, detail: string) =>
    ({ key, name, detail, isProse: true, isExtra: true }) as const;
  const items = [
    ...questions,
    ...features.map(({ key, title, detail }) => extra(key, title, detail)),
    extra(ROOTS, 'Roots', rootsText(roots?.length ?? 0)),
    // The last one, because it comes late, and would move others away from a press.
    ...(answers === undefined
      ? []
      : [extra(STANDING, 'Standing answers', answers === 0 ? 'none' : formatCount(answers))]),
  ];
  const feature = features.find(({ key }) => key === item);
  const isExtra = item === ROOTS || item === STANDING || feature !== undefined;
  const question = shownQuestion({ waiting, closed }, item, readOnly);
  const shown = question?.key;
  // Keep the shown question in the address. Otherwise another could replace it and receive the answer.
  useLayoutEffect(() => {
    if (!readOnly && item === undefined && shown !== undefined) navigate({ item: shown }, { replace: true });
  }, [readOnly, item, shown, navigate]);
  return (
    <Catalogue
      log={log}
      what="questions"
      items={items}
      selected={isExtra ? item : question?.key}
      note={
        // A narrow window shows the list in place of the empty state.
        questions.length === 0 && <p className="hidden px-2 py-1 text-muted narrow:block">No questions yet</p>
      }
    >
      {item === ROOTS ? (
        <div className="flex min-h-0 max-w-[760px] flex-1 flex-col gap-3 overflow-auto p-3">
          <h2 className="font-medium">Roots</h2>
          <RootsEditor log={log} />
        </div>
      ) : item === STANDING ? (
        <StandingList standing={standing} />
      ) : feature ? (
        <feature.Entry key={log.connection} log={log} />
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

/** Returns the features that have an entry for a connection, and what it says. A read-only log has none. */
function useFeatureEntries(connection: string, readOnly: boolean) {
  return QUESTION_FEATURES.flatMap((feature) => {
    // biome-ignore lint/correctness/useHookAtTopLevel: the list never changes
    const detail = feature.useEntry(connection);
    return detail === undefined || readOnly ? [] : [{ ...feature, detail }];
  });
}

/** Says in a word how a question ended. */
function outcomeWord({ status, standingSeq }: Question): string | undefined {
  if (status === 'waiting') return undefined;
  return standingSeq === undefined ? OUTCOME_WORDS[status] : 'answered by itself';
}

const OUTCOME_WORDS = { answered: 'answered', refused: 'error', withdrawn: 'withdrawn', lost: 'not answered' } as const;

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

const QUESTIONS: readonly (readonly [path: CapabilityPath, words: string])[] = [
  [['elicitation', 'form'], 'form input (elicitation)'],
  [['elicitation', 'url'], 'a visit to a URL (URL elicitation)'],
  [['sampling'], 'model output (sampling)'],
  [['roots'], 'roots'],
];

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** Says what appears here, and how to get it. */
export function EmptyInbox({ log }: { readonly log: Log }) {
  const capabilities = declaredBy(useProfile(log));
  const { navigate } = useLocation();
  const asked = QUESTIONS.filter(([path]) => isDeclared(capabilities, path)).map(([, words]) => words);
  return (
    <EmptyState title="No questions are waiting">
      <p>Questions from the server appear here, usually while you call one of its tools.</p>
      <p className="mt-2">
        {asked.length === 0
          ? 'This connection declares no client capabilities for that, so its server must not ask anything.'
          : `This server may ask for ${OR.format(asked)}.`}{' '}
        Change that in its{' '}
        <button type="button" className="text-link" onClick={() => navigate({ panel: 'client-settings' })}>
          client settings
        </button>
        .
      </p>
    </EmptyState>
  );
}
