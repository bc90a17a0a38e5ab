import { ConnectionError } from '@/lib/transports/transport';
import { openOverlay } from '@/proxy/intercept/open-overlay';
import { openRules, RulesFileError } from '@/proxy/intercept/open-rules';
import type { RuledSession } from './control-requests';
import { type Intercepted, Interception } from './interception';

/**
 * Reads the rules and the overlay that a tap begins with. Returns a function that puts them in force. Rejects with a
 * ConnectionError if they can't be used, so that the server is not started.
 */
export async function readGivenRules(
  rules: string | undefined,
  overlay: string | undefined,
): Promise<(intercepted: Intercepted) => Interception> {
  const apply = await openGivenRules(rules, overlay);
  return (intercepted) => {
    const interception = new Interception(intercepted);
    apply(interception);
    return interception;
  };
}

/**
 * Reads them for sessions that begin later. Returns a function that puts them in force in a session. `advice` is that
 * of an error.
 */
export async function openGivenRules(
  rules: string | undefined,
  overlay: string | undefined,
  advice = 'The server was not started.',
): Promise<(session: Pick<RuledSession, 'setRules' | 'setOverlay'>) => void> {
  try {
    const given = rules === undefined ? undefined : await openRules(rules);
    const shown = overlay === undefined ? undefined : await openOverlay(overlay);
    return (session) => {
      if (given) session.setRules(given.owner, given.rules);
      if (shown?.overlay !== undefined) session.setOverlay(shown.owner, shown.overlay);
    };
  } catch (error) {
    if (!(error instanceof RulesFileError)) throw error;
    throw new ConnectionError({ code: 'bad-rules', message: error.message, advice });
  }
}
