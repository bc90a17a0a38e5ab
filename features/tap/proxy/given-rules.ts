import { openInterceptFiles, RulesFileError } from '@/features/intercept/proxy/open-rules';
import { ConnectionError } from '@/lib/transports/transport';
import type { RuledSession } from './control-requests';
import { type RuledStreams, TapInterception } from './interception';

/**
 * Reads the rules and the overlay that a tap begins with. Returns a function that puts them in force. Rejects with a
 * ConnectionError if they can't be used, so that the server is not started.
 */
export async function readGivenRules(
  files: readonly string[],
): Promise<(intercepted: RuledStreams) => TapInterception> {
  const apply = await openGivenRules(files);
  return (intercepted) => {
    const interception = new TapInterception(intercepted);
    apply(interception);
    return interception;
  };
}

/**
 * Reads them for sessions that begin later. Returns a function that puts them in force in a session. `advice` is that
 * of an error.
 */
export async function openGivenRules(
  files: readonly string[],
  advice = 'The server was not started.',
): Promise<(session: Pick<RuledSession, 'setRules' | 'setOverlay'>) => void> {
  try {
    const sets = await openInterceptFiles(files);
    return (session) => {
      for (const { owner, rules, overlay } of sets) {
        if (overlay === undefined) session.setRules(owner, rules);
        else session.setOverlay(owner, overlay);
      }
    };
  } catch (error) {
    if (!(error instanceof RulesFileError)) throw error;
    throw new ConnectionError({ code: 'bad-rules', message: error.message, advice });
  }
}
