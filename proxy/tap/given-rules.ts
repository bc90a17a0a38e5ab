import { ConnectionError } from '@/lib/transports/transport';
import { openRules, RulesFileError } from '@/proxy/intercept/open-rules';
import { type Intercepted, Interception } from './interception';

/**
 * Reads the rules that a tap begins with. Returns a function that puts them in force. Rejects with a ConnectionError if
 * they can't be used, so that the server is not started.
 */
export async function readGivenRules(path: string): Promise<(intercepted: Intercepted) => Interception> {
  try {
    const { owner, rules } = await openRules(path);
    return (intercepted) => {
      const interception = new Interception(intercepted);
      interception.setRules(owner, rules);
      return interception;
    };
  } catch (error) {
    if (!(error instanceof RulesFileError)) throw error;
    throw new ConnectionError({ code: 'bad-rules', message: error.message, advice: 'The server was not started.' });
  }
}
