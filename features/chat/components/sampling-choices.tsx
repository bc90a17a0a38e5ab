import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { MOST_AUTOMATIC, type SamplingChoice } from '@/features/chat/lib/chat-api';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate } from '@/lib/hooks/location';
import type { Log } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';
import { modelNameProblem } from './model/model-name';
import { SamplingSettings, useFirstSampling } from './model/sampling-settings';
import { type SamplingAnswerers, useSampling } from './use-chats';

const MODES: readonly { readonly value: SamplingChoice['mode']; readonly label: string }[] = [
  { value: 'ask', label: 'You, or a model when you ask it' },
  { value: 'review', label: 'A model, and you review its answer' },
  { value: 'auto', label: 'A model, without you' },
];

const EXPLAINED: { readonly [K in SamplingChoice['mode']]: string } = {
  ask: 'Each request waits for you. You can change it before you give it to the model, and the answer before you send it.',
  review: 'The model gets each request at once. Its answer waits until you send it, changed or not.',
  auto: `Requests and answers pass without you, at most ${MOST_AUTOMATIC}. Then requests wait for you again.`,
};

/** Chooses who answers the sampling requests of a server. */
export function SamplingChoices({ log }: { readonly log: Log }) {
  const sampling = useSampling(log.connection);
  return sampling && <Choices sampling={sampling} />;
}

function Choices({ sampling: { summary, choose } }: { readonly sampling: SamplingAnswerers }) {
  const [draft, setDraft] = useDraft<SamplingChoice | null>('sampling-choice', null);
  const [failure, setFailure] = useState<Failure>();
  const present = summary?.sampling;
  const first = useFirstSampling();
  const choice = draft ?? present ?? { mode: 'ask', settings: first };
  const problem = modelNameProblem(choice.settings.model);
  const isSame = present !== undefined && JSON.stringify(choice) === JSON.stringify(present);
  const save = async () => {
    setFailure(undefined);
    try {
      await choose(choice);
      setDraft(null);
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  return (
    <div className="flex min-h-0 max-w-[760px] flex-1 flex-col gap-3 overflow-auto p-3">
      <h2 className="font-medium">Sampling</h2>
      <p className="text-muted">
        Servers ask for a model’s reply with <span className="font-mono text-wire">sampling/createMessage</span>. Choose
        who answers, until mcp-inspect ends.
      </p>
      <div className="max-w-[480px]">
        <Select
          label="Requests are answered by"
          value={choice.mode}
          options={MODES}
          onChange={(mode) => setDraft({ ...choice, mode })}
        />
      </div>
      <p className="text-small text-muted">{EXPLAINED[choice.mode]}</p>
      <SamplingSettings settings={choice.settings} onChange={(settings) => setDraft({ ...choice, settings })} />
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" disabled={isSame || problem !== undefined} onClick={() => void save()}>
          Use this choice
        </Button>
        {isSame ? (
          <span role="status" className="text-small text-muted">
            In use
          </span>
        ) : (
          problem !== undefined && <span className="text-small text-muted">{problem}</span>
        )}
      </div>
      {failure && <ErrorNote failure={failure} />}
      {present && present.mode !== 'ask' && (
        <p className="tabular text-small text-muted">
          {summary.automatic} of {MOST_AUTOMATIC} requests given to the model without asking
        </p>
      )}
      {summary && (
        <p>
          <button type="button" className="text-link" onClick={() => navigate({ panel: 'chat', item: summary.id })}>
            Show what the model got and wrote
          </button>
        </p>
      )}
    </div>
  );
}
