import { ConnectionError } from '@/lib/transports/transport';
import { openOverlay } from '@/proxy/intercept/open-overlay';
import { openRules, RulesFileError } from '@/proxy/intercept/open-rules';
import { type Intercepted, Interception } from './interception';

/**
 * Reads the rules and the overlay that a tap begins with. Returns a function that puts them in force. Rejects with a
 * ConnectionError if they can't be used, so that the server is not started.
 */
export async function readGivenRules(
  rules: string | undefined,
  overlay: string | undefined,
): Promise<(intercepted: Intercepted) => Interception> {
  try {
    const given = rules === undefined ? undefined : await openRules(rules);
    const shown = overlay === undefined ? undefined : await openOverlay(overlay);
    return (intercepted) => {
      const interception = new Interception(intercepted);
      if (given) interception.setRules(given.owner, given.rules);
      if (shown?.overlay !== undefined) interception.setOverlay(shown.owner, shown.overlay);
      return interception;
    };
  } catch (error) {
    if (!(error instanceof RulesFileError)) throw error;
    throw new ConnectionError({ code: 'bad-rules', message: error.message, advice: 'The server was not started.' });
  }
}
