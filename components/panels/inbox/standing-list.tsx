import { answerPreview } from '@/components/answers/saved-answers';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { Standing } from '@/lib/hooks/standing-answers';
import { JsonSource } from '@/lib/json/source';
import type { QuestionAnswer } from '@/lib/wire/message';
import type { StandingAnswer, StandingReply } from '@/lib/wire/standing-answers';

const PLACES: Readonly<Record<StandingReply['place'], string>> = {
  folder: 'Kept in your data folder, and used by every page of mcp-inspect that you start.',
  page: 'Kept in this page until you reload it.',
};

/** The user's standing answers, first those to the server in view. */
export function StandingList({ standing: { reply, failure, change } }: { readonly standing: Standing }) {
  const all = reply?.answers ?? [];
  const here = all.filter(({ server }) => server === reply?.server);
  const elsewhere = all.filter(({ server }) => server !== reply?.server);
  return (
    <div className="flex min-h-0 max-w-[760px] flex-1 flex-col gap-3 overflow-auto p-3">
      <h2 className="font-medium">Standing answers</h2>
      <p className="text-muted">
        mcp-inspect sends these without asking you, when the same server sends the same form, or a sampling request with
        the same system prompt and tools. The log and the result of the call say when one was used. To change one,
        delete it and answer the question again. {reply && PLACES[reply.place]}
      </p>
      {failure && <ErrorNote failure={failure} />}
      {reply && all.length === 0 && (
        <p>
          None. To make one, choose <b className="font-medium">Always</b> beside the buttons that answer a question
        </p>
      )}
      {here.length > 0 && <Group name="For this server" answers={here} onChange={change} />}
      {elsewhere.length > 0 && <Group name="For other servers" answers={elsewhere} onChange={change} />}
    </div>
  );
}

interface GroupProps {
  readonly name: string;
  readonly answers: readonly StandingAnswer[];
  readonly onChange: Standing['change'];
}

function Group({ name, answers, onChange }: GroupProps) {
  return (
    <section aria-label={name}>
      <h3 className="text-muted">{name}</h3>
      <ul className="flex flex-col">
        {answers.map((answer) => (
          <StandingItem key={answer.id} answer={answer} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}

function StandingItem({
  answer,
  onChange,
}: {
  readonly answer: StandingAnswer;
  readonly onChange: Standing['change'];
}) {
  const { id, title, method, about, bound, paused } = answer;
  const asks = JsonSource.parse(bound);
  const words = visibleText(about || method).slice(0, 80);
  return (
    <li className="flex min-w-0 flex-col gap-1 border-t border-line py-2">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 basis-60 truncate">
          <UntrustedText text={about || method} limit={120} />
        </span>
        {paused && <Badge>paused</Badge>}
        <Button
          size="small"
          aria-label={`${paused ? 'Resume' : 'Pause'}: ${words}`}
          onClick={() => onChange({ id, kind: 'pause', paused: !paused })}
        >
          {paused ? 'Resume' : 'Pause'}
        </Button>
        <Button size="small" aria-label={`Delete: ${words}`} onClick={() => onChange({ id, kind: 'delete' })}>
          Delete
        </Button>
      </div>
      <p className="min-w-0 break-words text-muted">
        Answers <span className="font-mono text-wire">{visibleText(standingText(answer.answer))}</span>
      </p>
      <p className="min-w-0 truncate font-mono text-wire text-muted">
        <UntrustedText text={title} limit={200} />
      </p>
      {asks && (
        <details>
          <summary className="text-small text-muted">Used for questions with exactly this</summary>
          <JsonTree json={asks} />
        </details>
      )}
    </li>
  );
}

/** Returns a standing answer in one line. */
function standingText(answer: QuestionAnswer): string {
  if ('error' in answer) return `error ${answer.error.code}: ${answer.error.message}`;
  return answerPreview(answer.result).slice(0, 300);
}
