import type { RuleSet } from '@/lib/mcp/message-interceptor';
import type { Option } from '@/proxy/cli/grammar';

/** Files that say what happens to messages. */
export interface RuleFiles {
  /** The option that names them. */
  readonly option: Option;
  readonly load: () => Promise<{
    /** Reads files. Rejects with a RulesFileError. */
    readonly openInterceptFiles: (paths: readonly string[]) => Promise<readonly RuleSet[]>;
    /** Why a file can’t be used, in sentences. */
    readonly RulesFileError: new () => Error;
  }>;
}
