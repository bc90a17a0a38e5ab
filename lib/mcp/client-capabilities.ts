import type { ClientFeature } from '@/lib/wire/client-features';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import type { JsonObject } from '@/lib/wire/message';
import { eraOf } from './versions';

const ELICITATION_SINCE: ProtocolVersion = '2025-06-18';
const ELICITATION_MODES_SINCE: ProtocolVersion = '2025-11-25';

/** The client capabilities that promise these features in a version's words; what it doesn't have is left out. */
export function capabilitiesFor(features: readonly ClientFeature[], version: string): JsonObject {
  const has = (feature: ClientFeature): boolean => features.includes(feature);
  const modes = version >= ELICITATION_MODES_SINCE;
  const elicits = version >= ELICITATION_SINCE && (has('elicitation') || (modes && has('elicitation-url')));
  return {
    ...(has('roots') && { roots: eraOf(version) === 'legacy' ? { listChanged: true } : {} }),
    ...(has('sampling') && { sampling: {} }),
    ...(elicits && {
      elicitation: modes ? { ...(has('elicitation') && { form: {} }), ...(has('elicitation-url') && { url: {} }) } : {},
    }),
  };
}
