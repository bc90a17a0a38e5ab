import { RULE_FILES } from '@/features/rule-files';
import type { RuleSet } from '@/lib/mcp/message-interceptor';
import { usageError } from '@/proxy/cli/exit-code';
import type { ServerOptions } from '@/proxy/cli/server-options';

/** Reads the files of `--intercept`. Loads the code for them only then. Rejects with an ExitError. */
export async function givenRules({ intercept }: ServerOptions): Promise<{ readonly rules?: readonly RuleSet[] }> {
  if (!RULE_FILES || intercept.length === 0) return {};
  const { openInterceptFiles, RulesFileError } = await RULE_FILES.load();
  try {
    return { rules: await openInterceptFiles(intercept) };
  } catch (error) {
    if (error instanceof RulesFileError) throw usageError(error.message);
    throw error;
  }
}
