import { borrowedTitle } from '@/features/host-titles';
import { capabilityName, isDeclared, isOptional, switchesOf } from '@/lib/wire/capability-switches';
import { type ClientCapabilities, SUPPORTED_CAPABILITIES } from '@/lib/wire/client-capabilities';
import { type ClientProfile, declaredBy, tidyProfile } from '@/lib/wire/client-profile';

/** Returns the names of the declared capabilities in words: “all that mcp-inspect supports” or “sampling, roots”. */
function capabilityWords(profile: ClientProfile): string {
  const declared = declaredBy(profile);
  if (tidyProfile(profile).capabilities === undefined) return 'all supported';
  return namesIn(declared).join(', ') || 'none';
}

function namesIn(capabilities: ClientCapabilities): readonly string[] {
  return switchesOf(capabilities)
    .filter((path) => isOptional(capabilities, path))
    .map(capabilityName);
}

/** Returns the client settings in a few words. */
export function profileWords(profile: ClientProfile): string {
  const { info, meta, timeouts, as } = tidyProfile(profile);
  const others = [
    as !== undefined && `as ${borrowedTitle(as)}`,
    as === undefined && info && 'own client info',
    meta && 'extra _meta',
    timeouts && 'own timeouts',
  ];
  return [capabilityWords(profile), ...others.filter(Boolean)].join('; ');
}

/** Returns the supported capabilities that are switched off, and parts of declared ones. */
export function missingCapabilities(profile: ClientProfile): readonly string[] {
  const declared = declaredBy(profile);
  return switchesOf(SUPPORTED_CAPABILITIES)
    .filter((path) => isDeclared(SUPPORTED_CAPABILITIES, path) && !isDeclared(declared, path))
    .filter((path) => isOptional(SUPPORTED_CAPABILITIES, path) || isDeclared(declared, path.slice(0, 1)))
    .map(capabilityName);
}
