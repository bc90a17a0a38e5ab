import type { QuestionFeature } from '../page-feature';
import { ModelReply } from './components/model-reply';
import { SamplingChoices } from './components/sampling-choices';
import { useSampling } from './components/use-chats';

/** Lets models reply to sampling requests. */
export const sampling: QuestionFeature = {
  key: 'sampling',
  title: 'Sampling',
  useEntry(connection) {
    const found = useSampling(connection);
    return found && ANSWERED_BY[found.summary?.sampling?.mode ?? 'ask'];
  },
  Entry: SamplingChoices,
  Reply: ModelReply,
};

/** Who replies. */
const ANSWERED_BY = { ask: 'answered by you', review: 'model, then you', auto: 'answered by a model' } as const;
