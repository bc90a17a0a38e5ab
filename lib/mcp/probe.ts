import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { isObject, own } from '@/lib/wire/message';
import type { Outcome } from './outcome';
import { commonModern, offeredModern, UNSUPPORTED_VERSION } from './versions';

/** What auto mode does next, and why, in one sentence. */
export type ProbeVerdict =
  /**
   * `discovered` is the DiscoverResult, if the probe got one. `respawn`: the process has opened a session of the
   * other era.
   */
  | {
      readonly era: 'modern';
      readonly version: ProtocolVersion;
      readonly reason: string;
      readonly discovered: unknown;
      readonly respawn?: true;
    }
  /** `respawn`: the probed process is gone; `initialize` needs a new one. */
  | { readonly era: 'legacy'; readonly reason: string; readonly respawn: boolean };

/**
 * Reads the answer to the `server/discover` of auto mode. Only two answers mean modern: a DiscoverResult with a version we
 * speak, and a version error that lists one. No other code is looked at: legacy servers refuse the probe in many ways.
 */
export function classifyProbe(outcome: Outcome): ProbeVerdict {
  if (outcome.kind === 'result') return classifyResult(outcome.result);
  if (outcome.kind === 'error') return classifyError(outcome.error);
  return { era: 'legacy', ...NO_ANSWER[outcome.kind] };
}

const NO_ANSWER = {
  timeout: { reason: 'The server left server/discover unanswered.', respawn: false },
  cancelled: { reason: 'The probe was cancelled.', respawn: false },
  lost: { reason: 'The server exited instead of answering server/discover.', respawn: true },
} as const;

function classifyResult(result: unknown): ProbeVerdict {
  const offered = isObject(result) ? own(result, 'supportedVersions') : undefined;
  const version = commonModern(offered);
  if (version !== undefined) {
    return {
      era: 'modern',
      version,
      reason: `The server answered server/discover with ${version}.`,
      discovered: result,
    };
  }
  const reason = Array.isArray(offered)
    ? 'The server answered server/discover, but with no modern version that is known here.'
    : 'The server answered server/discover without a list of supported versions.';
  return { era: 'legacy', reason, respawn: false };
}

function classifyError(error: { readonly code: number; readonly data?: unknown }): ProbeVerdict {
  const version = offeredModern(error);
  if (version !== undefined) {
    const reason = `The server refused server/discover with ${error.code}, but offers ${version}.`;
    return { era: 'modern', version, reason, discovered: undefined };
  }
  const detail = error.code === UNSUPPORTED_VERSION ? ' and offers no modern version that is known here' : '';
  return { era: 'legacy', reason: `The server refused server/discover with ${error.code}${detail}.`, respawn: false };
}
