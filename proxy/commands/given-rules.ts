import type { RuleSet } from '@/lib/intercept/active-rule';
import { usageError } from '@/proxy/cli/exit-code';
import type { ServerOptions } from '@/proxy/cli/server-options';

/** Reads the file of `--rules`. Loads the code for it only then. Rejects with an ExitError. */
export async function givenRules({ rules }: ServerOptions): Promise<{ readonly rules?: readonly RuleSet[] }> {
  if (rules === undefined) return {};
  const { openRules, RulesFileError } = await import('@/proxy/intercept/open-rules');
  try {
    return { rules: [await openRules(rules)] };
  } catch (error) {
    if (error instanceof RulesFileError) throw usageError(error.message);
    throw error;
  }
}
