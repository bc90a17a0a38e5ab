import { EmptyState } from '@/components/ui/empty-state';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { CLIENT_FEATURES, type ClientFeature } from '@/lib/wire/client-features';

const WORDS: Readonly<Record<ClientFeature, string>> = {
  elicitation: 'forms to fill in (elicitation)',
  'elicitation-url': 'addresses to open (elicitation by URL)',
  sampling: 'the words of a model (sampling)',
  roots: 'roots',
};

/** What would be here, and how to get it. */
export function NothingWaits({ log }: { readonly log: Log }) {
  const features = useLogState(log, (state) => state.connection.start?.features ?? CLIENT_FEATURES);
  return (
    <EmptyState title="Nothing waits for you">
      <p>Here a server asks something of you: usually while you call one of its tools, which waits for the answer.</p>
      <p className="mt-2">
        {features.length === 0
          ? 'This connection declares no client capability, so its server is to ask nothing.'
          : `This connection lets its server ask for ${features.map((feature) => WORDS[feature]).join(', ')}.`}{' '}
        Client capabilities are chosen where the server is added.
      </p>
    </EmptyState>
  );
}
