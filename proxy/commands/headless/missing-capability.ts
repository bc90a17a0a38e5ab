import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ALL_CAPABILITIES } from '@/lib/wire/client-capabilities';
import { declares } from '@/lib/wire/declares';
import type { RpcError } from '@/lib/wire/message';
import { EXTENSION, RPC_CODE } from '@/lib/wire/protocol-names';

/** Characters of the capabilities that are quoted for a command line. */
const QUOTED_CHARS = 300;

/**
 * Returns the option that declares what a server misses, as a sentence, for an error −32021. undefined for another
 * error. `hasTaskOption`: the subcommand has `--task`.
 */
export function missingCapabilityAdvice({ code, data }: RpcError, hasTaskOption: boolean): string | undefined {
  if (code !== RPC_CODE.missingCapability) return undefined;
  const required = isObject(data) ? own(data, 'requiredCapabilities') : undefined;
  const paths = isObject(required) ? pathsIn(required) : [];
  const names = paths.map((path) => `\`${path.join('.')}\``).join(', ');
  const what = names === '' ? '' : `, which declares ${names}`;
  const isTasksOnly =
    paths.length > 0 && paths.every(([group, name]) => group === 'extensions' && name === EXTENSION.tasks);
  if (isTasksOnly && hasTaskOption) return `Add \`--task auto\`${what}.`;
  if (paths.every((path) => declares(ALL_CAPABILITIES, path))) return `Add \`--capabilities all\`${what}.`;
  return `Add \`--capabilities '${JSON.stringify(required).slice(0, QUOTED_CHARS)}'\`${what}.`;
}

/** Returns the path of each capability: one or two names, as in `elicitation.form`. */
function pathsIn(required: JsonObject): readonly (readonly string[])[] {
  return Object.entries(required).flatMap(([name, parts]) => {
    const inner = isObject(parts) ? Object.keys(parts) : [];
    return inner.length === 0 ? [[name]] : inner.map((part) => [name, part]);
  });
}
