import { useState } from 'react';
import { Button, CopyButton } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Download } from '@/components/untrusted/download';
import { useChat } from '@/features/chat/components/use-chat';
import type { AnswerTurn } from '@/features/chat/lib/chat-state';
import { caseOfTurn } from '@/features/evals/lib/case-of-turn';
import { caseText, withCase } from '@/features/evals/lib/case-text';
import type { EvalSetup } from '@/features/evals/lib/evals-api';
import type { AnswerButtonProps } from '@/features/page-feature';
import { useClient } from '@/lib/hooks/client';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate } from '@/lib/hooks/location';
import { EMPTY_SETUP, NEW_EVAL, SETUP_DRAFT, SHOWN_DRAFT, WRITTEN_CASES } from './drafts';

/** Makes a case of an answer, and shows it as text to copy, save, or add to the page of evals. */
export function CaseButton({ log, turn, className }: AnswerButtonProps) {
  const { turns } = useChat(log).state;
  const [text, setText] = useState<string>();
  const answer = turns.get(turn);
  const message = answer?.parent === undefined ? undefined : turns.get(answer.parent);
  if (answer?.kind !== 'answer' || message?.kind !== 'user') return null;
  return (
    <>
      <Button
        size="small"
        variant="ghost"
        className={className}
        onClick={() => setText(caseText(caseOfTurn(message, answer)))}
      >
        Make a case
      </Button>
      {text !== undefined && <CaseDialog text={text} model={modelOf(answer)} onClose={() => setText(undefined)} />}
    </>
  );
}

/** Returns the model that answers again, if it is known. A replay has its name behind a word. */
function modelOf({ settings }: AnswerTurn): string | undefined {
  return settings?.model.replace(/^recorded:/, '');
}

function CaseDialog({
  text,
  model,
  onClose,
}: {
  readonly text: string;
  readonly model: string | undefined;
  readonly onClose: () => void;
}) {
  const { api } = useClient();
  const [setup, setSetup] = useDraft<EvalSetup>(SETUP_DRAFT, EMPTY_SETUP);
  const [, setShown] = useDraft<string>(SHOWN_DRAFT, '');
  const head = model === undefined ? '' : `model: ${JSON.stringify(model)}\n`;
  const add = () => {
    // The text of a file is somebody’s, and stays as it is.
    const isWritten = setup.name === WRITTEN_CASES && setup.text.trim() !== '';
    setSetup({ ...EMPTY_SETUP, text: withCase(isWritten ? setup.text : head, text) });
    setShown(NEW_EVAL);
    onClose();
    navigate({ page: 'evals' });
  };
  return (
    <Dialog title="Case for an eval" onClose={onClose}>
      <div className="flex min-w-0 flex-col gap-3">
        <textarea
          aria-label="Case as YAML"
          readOnly
          rows={Math.min(18, text.split('\n').length + 1)}
          value={text}
          className="w-full resize-y rounded border border-line bg-surface px-2 py-1 font-mono text-wire"
        />
        <p className="text-small text-muted">Paste under “cases:” and edit the expected result</p>
        <div className="flex flex-wrap items-center gap-2">
          {api && (
            <Button variant="primary" data-autofocus onClick={add}>
              Add to Evals
            </Button>
          )}
          <Download label="Download as a file" name="cases.yaml" content={withCase(head, text)} />
          <CopyButton label="Copy" text={() => text} />
        </div>
      </div>
    </Dialog>
  );
}
