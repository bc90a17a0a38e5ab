import type { RuleSet } from '@/lib/intercept/active-rule';
import { usageError } from '@/proxy/cli/exit-code';
import type { ServerOptions } from '@/proxy/cli/server-options';

/** Reads the files of `--rules` and `--overlay`. Loads the code for them only then. Rejects with an ExitError. */
export async function givenRules({ rules, overlay }: ServerOptions): Promise<{ readonly rules?: readonly RuleSet[] }> {
  if (rules === undefined && overlay === undefined) return {};
  const { openRules, RulesFileError } = await import('@/proxy/intercept/open-rules');
  try {
    return {
      rules: [
        ...(rules === undefined ? [] : [await openRules(rules)]),
        ...(overlay === undefined ? [] : [await (await import('@/proxy/intercept/open-overlay')).openOverlay(overlay)]),
      ],
    };
  } catch (error) {
    if (error instanceof RulesFileError) throw usageError(error.message);
    throw error;
  }
}
