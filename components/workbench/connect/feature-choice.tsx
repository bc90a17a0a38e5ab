import { Checkbox } from '@/components/ui/checkbox';
import { CLIENT_FEATURES, type ClientFeature } from '@/lib/wire/client-features';

const NAMES: Readonly<Record<ClientFeature, string>> = {
  elicitation: 'elicitation',
  'elicitation-url': 'elicitation by URL',
  sampling: 'sampling',
  roots: 'roots',
};

/** The client capabilities that are declared: what the server may ask of the person. Servers behave differently without them. */
export function FeatureChoice({
  chosen,
  onChoose,
}: {
  readonly chosen: readonly ClientFeature[];
  readonly onChoose: (features: readonly ClientFeature[]) => void;
}) {
  const words = chosen.length === CLIENT_FEATURES.length ? 'all' : chosen.map((one) => NAMES[one]).join(', ') || 'none';
  return (
    <details>
      <summary className="text-muted">Client capabilities: {words}</summary>
      <fieldset aria-label="Client capabilities" className="flex flex-wrap gap-x-4">
        {CLIENT_FEATURES.map((feature) => (
          <Checkbox
            key={feature}
            label={NAMES[feature]}
            checked={chosen.includes(feature)}
            onChange={(on) => onChoose(CLIENT_FEATURES.filter((one) => (one === feature ? on : chosen.includes(one))))}
          />
        ))}
      </fieldset>
      <p className="text-muted">
        What the server may ask of you while it works; questions wait in the Inbox. Roots are told without asking.
      </p>
    </details>
  );
}
