import type { Probing } from './handshake';
import type { TransportKind } from './live-host';

/** How auto mode asks. HTTP+SSE belongs to the legacy era alone. */
export const PROBING: { readonly [K in TransportKind]: Probing } = {
  stdio: 'process',
  auto: 'http',
  http: 'http',
  sse: 'never',
};
