import { openQuestion } from '@/components/answers/open-question';
import { connectionLabels } from '@/components/exchange/connection-labels';
import { Button } from '@/components/ui/button';
import { KeyHint, useShortcuts } from '@/components/ui/shortcuts';
import { useIsQuestionShown } from '@/lib/hooks/shown-questions';
import type { ConnectionSummary } from '@/lib/wire/command';
import { countOf } from '@/lib/wire/format';

interface QuestionBannerProps {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
}

/** Says that a server waits for an answer that is not on the page, with a button and a key to get there. */
export function QuestionBanner({ connections, selected }: QuestionBannerProps) {
  const isShown = useIsQuestionShown(selected?.id);
  const asking = connections.filter(({ id, waiting = 0 }) => waiting > 0 && !(isShown && id === selected?.id));
  const first = asking.find(({ id }) => id === selected?.id) ?? asking[0];
  const answer = () => first && openQuestion({ connection: first.id });
  useShortcuts(first ? [{ keys: 'a', title: 'Answer the server’s question', run: answer }] : [], 'Everywhere');
  if (!first) return null;
  return (
    <section
      aria-label="Questions"
      className="flex min-h-8 shrink-0 items-center gap-x-2 border-b border-line bg-accent/8 px-3 py-1"
    >
      <p className="min-w-0 truncate">
        <bdi className="font-medium">{connectionLabels(connections).get(first.id)}</bdi> asks{' '}
        {countOf(first.waiting ?? 0, 'question')}
        {asking.length > 1 && <span className="text-muted">, and {countOf(asking.length - 1, 'other server')}</span>}
      </p>
      <Button size="small" onClick={answer}>
        Answer
      </Button>
      <span aria-hidden="true">
        <KeyHint keys="a" />
      </span>
    </section>
  );
}
