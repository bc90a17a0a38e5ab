import { isObject, own } from '@/lib/json/value';
import { eraOf } from '@/lib/mcp/versions';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { META_KEY, RPC_CODE } from '@/lib/wire/protocol-names';
import { metaOf, type SeenMessage, type TrackedRequest } from '../protocol-state';
import { messageRule, type ProtocolRule, quote } from '../rule';

/** Versions that a handshake can negotiate. */
const NEGOTIABLE = PROTOCOL_VERSIONS.filter((version) => eraOf(version) === 'legacy');

/** Returns the version in a result of `initialize`. */
function chosenVersion({ request, body }: SeenMessage): unknown {
  const result = own(body, 'result');
  return request?.method === 'initialize' && isObject(result) ? own(result, 'protocolVersion') : undefined;
}

/** Returns the version that a modern request names in `_meta`. */
function namedVersion({ params }: Pick<TrackedRequest, 'params'>): string | undefined {
  const meta = own(params, '_meta');
  const version = isObject(meta) ? own(meta, META_KEY.protocolVersion) : undefined;
  return typeof version === 'string' ? version : undefined;
}

function isKnown(version: unknown, era: 'legacy' | 'modern'): version is string {
  return PROTOCOL_VERSIONS.some((known) => known === version) && eraOf(version as string) === era;
}

/** Rules about the version that client and server agree on. */
export const VERSION_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'version-unknown',
      kinds: ['response'],
      severity: 'warning',
      title: 'Unknown protocol version',
      topic: 'negotiation',
      advice: `Answer initialize with one of ${NEGOTIABLE.join(', ')}.`,
    },
    (seen, _state, report) => {
      const version = chosenVersion(seen);
      // Early servers use this version, which was never released.
      if (typeof version !== 'string' || version === '2024-10-07') return;
      if (PROTOCOL_VERSIONS.some((known) => known === version)) return;
      report({
        message: `The server chose ${quote(version)}.`,
        path: ['result', 'protocolVersion'],
        seqs: [seen.request!.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'version-other-era',
      kinds: ['request', 'response'],
      severity: 'error',
      title: 'Version that this handshake cannot negotiate',
      topic: 'negotiation',
      advice: `Use initialize for ${NEGOTIABLE.join(', ')} only. Later versions have no handshake: each request names its version in _meta.`,
    },
    (seen, _state, report) => {
      const chosen = chosenVersion(seen);
      if (isKnown(chosen, 'modern')) {
        report({
          message: `The server answered initialize with ${quote(chosen)}, which has no handshake.`,
          path: ['result', 'protocolVersion'],
          seqs: [seen.request!.seq],
        });
      }
      if (seen.kind !== 'request' || seen.direction !== 'to-server') return;
      const asked = seen.method === 'initialize' ? own(seen.params, 'protocolVersion') : undefined;
      if (isKnown(asked, 'modern')) {
        report({
          message: `initialize asks for ${quote(asked)}, which has no handshake.`,
          path: ['params', 'protocolVersion'],
        });
      }
      const named = metaOf(seen, META_KEY.protocolVersion);
      if (isKnown(named, 'legacy')) {
        report({
          message: `The request names ${quote(named)} in _meta, which is negotiated by initialize.`,
          path: ['params', '_meta', META_KEY.protocolVersion],
        });
      }
    },
  ),
  {
    id: 'version-not-refused',
    severity: 'error',
    title: 'Result in a version that the server does not support',
    topic: 'negotiation',
    advice: 'Answer with error −32022 and the supported versions, or add the version to supportedVersions.',
    checks: () => {
      let supported: readonly unknown[] | undefined;
      return {
        kinds: ['response'],
        message: ({ request, body, direction }, _state, report) => {
          const result = own(body, 'result');
          if (direction !== 'to-client' || !request || !isObject(result)) return;
          const listed = request.method === 'server/discover' ? own(result, 'supportedVersions') : undefined;
          if (Array.isArray(listed)) supported = listed;
          const named = namedVersion(request);
          if (supported === undefined || named === undefined || supported.includes(named)) return;
          report({
            message: `The request was made in ${quote(named)}, but the server supports ${quote(supported)}.`,
            path: ['result'],
            seqs: [request.seq],
          });
        },
      };
    },
  },
  messageRule(
    {
      id: 'version-refusal',
      kinds: ['error'],
      severity: 'error',
      title: 'Refusal of a version that contradicts itself',
      topic: 'negotiation',
      advice: 'Repeat the requested version in requested. List in supported only versions that you accept.',
    },
    ({ request, body, direction }, _state, report) => {
      const error = own(body, 'error');
      if (direction !== 'to-client' || !request || !isObject(error)) return;
      const data = own(error, 'code') === RPC_CODE.unsupportedVersion ? own(error, 'data') : undefined;
      const named = namedVersion(request);
      if (!isObject(data) || named === undefined) return;
      const [requested, supported] = [own(data, 'requested'), own(data, 'supported')];
      const path = ['error', 'data'];
      if (typeof requested === 'string' && requested !== named) {
        report({
          message: `requested is ${quote(requested)}, but the request was made in ${quote(named)}.`,
          path: [...path, 'requested'],
          seqs: [request.seq],
        });
      }
      if (Array.isArray(supported) && supported.includes(named)) {
        report({
          message: `supported contains ${quote(named)}, the version that was refused.`,
          path: [...path, 'supported'],
          seqs: [request.seq],
        });
      }
    },
  ),
];
