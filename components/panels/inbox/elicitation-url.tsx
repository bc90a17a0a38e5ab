import { AddressToOpen } from '@/components/untrusted/address-to-open';
import { AnswerBar } from './answer-bar';
import { refusals } from './elicit-actions';
import type { QuestionProps } from './question-props';
import { textMember } from './question-source';
import { useAnswer } from './use-answer';

/** An address that the server asks a person to open. Nothing opens by itself, and answering does not open it. */
export function ElicitationUrl({ log, question, params }: QuestionProps) {
  const answering = useAnswer(log, question);
  return (
    <div className="mt-3 flex max-w-[760px] min-w-0 flex-col gap-3 border-t border-line pt-3">
      <AddressToOpen address={textMember(params, 'url')} />
      {answering.waits && (
        <p className="text-muted">
          Accept says that you agree to go there. What happens there stays between you and that site: the server hears
          of it from the site, not from here.
        </p>
      )}
      <AnswerBar
        answering={answering}
        action="Accept"
        onAction={() => answering.answer({ result: '{"action":"accept"}' })}
        others={refusals(answering)}
      />
    </div>
  );
}
