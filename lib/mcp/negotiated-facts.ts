import type { ConnectionSummary } from '@/lib/wire/command';
import { own } from '@/lib/wire/message';
import type { Negotiated } from './handshake';

/** What a connection's summary tells of the handshake. */
export function factsOf({
  era,
  version,
  serverInfo,
}: Negotiated): Pick<ConnectionSummary, 'era' | 'version' | 'serverName'> {
  const serverName = own(serverInfo ?? {}, 'name');
  return { era, version, ...(typeof serverName === 'string' && { serverName }) };
}
