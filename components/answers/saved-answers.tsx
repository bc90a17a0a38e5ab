import { HistoryMenu, storableArguments } from '@/components/form/saved-calls';
import type { DocumentState } from '@/components/form/use-document';
import { Button } from '@/components/ui/button';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useLogState } from '@/lib/hooks/log';
import { type SavedCalls, useSavedCalls } from '@/lib/hooks/saved-calls';
import { compactJson, tryParseJson } from '@/lib/json/exact';
import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';

/** Earlier answers offered as buttons. */
const MOST_OFFERED = 3;
/** Characters of an answer on its button. */
const SHOWN_CHARS = 60;

/** Saved and recent answers to one kind of question, and how to remember another one. */
export interface SavedAnswers {
  readonly saved: SavedCalls;
  readonly remember: (text: string) => void;
}

/** Returns the answers saved for a kind of question of a server. They are kept like saved calls. */
export function useSavedAnswers(log: Log, kind: string, enabled: boolean): SavedAnswers {
  const start = useLogState(log, (state) => state.connection.start?.name ?? '');
  const server = useLogState(log, (state) => state.server.info?.name) || start;
  const saved = useSavedCalls(server, kind, enabled);
  return {
    saved,
    remember: (given) => {
      const text = storableArguments(given);
      if (text !== undefined) void saved.change({ kind: 'remember', text });
    },
  };
}

interface SavedAnswersProps {
  readonly saved: SavedAnswers;
  readonly document: DocumentState;
}

/** A menu with the saved and recent answers. */
export function AnswerHistory({ saved: { saved }, document }: SavedAnswersProps) {
  return <HistoryMenu saved={saved} document={document} what="answers" />;
}

/** Buttons that fill in a saved or recent answer. */
export function RecentAnswers({ saved: { saved }, document }: SavedAnswersProps) {
  const { calls } = saved;
  const offered = [
    ...calls.saved.map(({ name, text }) => ({ key: `s${name}`, label: name, text })),
    ...calls.recent.map((text) => ({ key: `r${text}`, label: answerPreview(text), text })),
  ].slice(0, MOST_OFFERED);
  if (offered.length === 0) return null;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-1 text-small text-muted">
      Earlier:
      {offered.map(({ key, label, text }) => (
        <Button
          key={key}
          size="small"
          className="max-w-full"
          title="Fill in this answer"
          onClick={() => document.fill(text)}
        >
          <span className="min-w-0 truncate">
            <UntrustedText text={label.slice(0, SHOWN_CHARS)} />
          </span>
        </Button>
      ))}
    </p>
  );
}

/** Returns an answer in one line: the text of a model's reply, or the JSON. */
export function answerPreview(text: string): string {
  const parsed = tryParseJson(text);
  const content = parsed.ok && isObject(parsed.value) ? own(parsed.value, 'content') : undefined;
  const reply = isObject(content) ? own(content, 'text') : undefined;
  return typeof reply === 'string' && reply.trim() !== ''
    ? reply.trim().replace(/\s+/g, ' ')
    : compactJson(text) || 'no content';
}
