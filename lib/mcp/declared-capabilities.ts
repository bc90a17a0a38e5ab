import type { JsonObject } from '@/lib/json/value';
import type { ClientCapabilities } from '@/lib/wire/client-capabilities';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { eraOf } from './versions';

const ELICITATION_SINCE: ProtocolVersion = '2025-06-18';
/** Since this version elicitation has modes, and sampling tools and context. */
const MODES_SINCE: ProtocolVersion = '2025-11-25';
/** The only version with tasks of its own. Later they are an extension. */
const TASKS_IN: ProtocolVersion = '2025-11-25';

/** Returns these capabilities as a version declares them. What it lacks is left out. */
export function capabilitiesFor(declared: ClientCapabilities, version: string): JsonObject {
  const { roots, sampling, elicitation, tasks, extensions, experimental } = declared;
  const modes = version >= MODES_SINCE;
  const hasForms = elicitation?.form !== undefined || elicitation?.url === undefined;
  return {
    ...(roots && { roots: eraOf(version) === 'legacy' ? roots : {} }),
    ...(sampling && { sampling: modes ? sampling : {} }),
    ...(elicitation &&
      version >= ELICITATION_SINCE &&
      (modes || hasForms) && { elicitation: modes ? elicitation : {} }),
    ...(tasks && version === TASKS_IN && { tasks }),
    ...declaredExtensions(extensions, version),
    ...(experimental && { experimental }),
  };
}

/** Returns the capabilities that a client sends. `as`: the host whose name it borrows, which leaves out nothing. */
export function sentCapabilities(declared: ClientCapabilities, version: string, as: string | undefined): JsonObject {
  return as === undefined ? capabilitiesFor(declared, version) : (declared as JsonObject);
}

/**
 * Servers of every version look for extensions, although only the newest version defines them. The extension for tasks
 * belongs to that version.
 */
function declaredExtensions(extensions: ClientCapabilities['extensions'] = {}, version: string): JsonObject {
  const isLegacy = eraOf(version) === 'legacy';
  const declared = Object.entries(extensions).filter(([name]) => !(isLegacy && name === EXTENSION.tasks));
  return declared.length === 0 ? {} : { extensions: Object.fromEntries(declared) };
}
