import { Authorizer } from '@/lib/auth/authorizer';
import type { Credentials, SignInCallbacks } from '@/lib/auth/credentials';
import type { HttpConfig } from '@/lib/transports/http-exchange';
import { headerOf } from '@/lib/transports/http-link';
import { probeNeighbours } from '@/lib/transports/look-further';
import { SseTransport } from '@/lib/transports/sse';
import { StreamableHttp } from '@/lib/transports/streamable-http';
import type { HttpSink, Transport } from '@/lib/transports/transport';
import type { NearbyAddresses } from '@/lib/wire/command';
import { LazyEgress } from '@/proxy/egress/lazy-egress';
import type { Launch, ProxyUrlLaunch } from './launch';
import { readSecretFile } from './secret-file';
import { type StdioSurroundings, StdioTransport } from './stdio';
import { EngineInterest } from './stdio-lines';

type Kind = Launch['transport'];

/** The launch of this kind, even if several kinds share one type. */
type LaunchOf<K extends Kind, L = Launch> = L extends { transport: infer U } ? (K extends U ? L : never) : never;

/** The services that a transport needs. */
export interface TransportContext extends StdioSurroundings {
  readonly sink: HttpSink;
  /** Version of mcp-inspect, for `User-Agent`. */
  readonly version: string;
  /** Allows URLs with link-local addresses and metadata services. */
  readonly allowLinkLocal: boolean;
  /** Answers servers that ask for OAuth. Absent: their refusal is final. */
  readonly authorization?: { readonly store: Credentials; readonly signIn: SignInCallbacks };
}

/** One row for each kind of server. */
const TRANSPORTS: { readonly [K in Kind]: (launch: LaunchOf<K>, context: TransportContext) => Transport } = {
  stdio: ({ command, args, cwd, env }, context) => new StdioTransport({ command, args, cwd, env }, context),
  auto: (launch, context) => new StreamableHttp(httpConfig(launch, context)),
  http: (launch, context) => new StreamableHttp(httpConfig(launch, context)),
  sse: (launch, context) => new SseTransport(httpConfig(launch, context)),
};

/** Creates a transport for one life of a server, not opened yet. */
export function createTransport(launch: Launch, context: TransportContext): Transport {
  // The row and the launch have the same kind, which the compiler can't follow through a union.
  const create = TRANSPORTS[launch.transport] as (launch: Launch, context: TransportContext) => Transport;
  return create(launch, context);
}

/** Probes addresses near a server's URL, over the same egress. */
export function lookFurther(
  launch: ProxyUrlLaunch,
  where: NearbyAddresses,
  context: Omit<TransportContext, 'reaper'>,
  signal: AbortSignal,
): Promise<void> {
  return probeNeighbours(httpConfig(launch, context), where, signal);
}

/** Chunks of a response are Buffers already. */
function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function httpConfig(
  { url, headers, client, tls, profile }: ProxyUrlLaunch,
  context: Omit<TransportContext, 'reaper'>,
): HttpConfig {
  const { sink, clock, version, allowLinkLocal, authorization } = context;
  const interest = new EngineInterest();
  const link = new LazyEgress({
    clock,
    version,
    allowLocal: allowLinkLocal,
    environment: process.env,
    ...(tls && { tls }),
  });
  // A person's own Authorization header is never replaced.
  const own = headerOf(headers, 'authorization') !== undefined;
  return {
    url,
    headers,
    sink,
    clock,
    link,
    ...(profile?.postsBecomeGets && { postsBecomeGets: true }),
    mayConcernEngine: (source, start, end) => interest.mayConcernEngine(asBuffer(source), start, end),
    ...(authorization &&
      !own && {
        authorizer: new Authorizer({
          server: url,
          link,
          sink,
          clock,
          settings: client,
          ...authorization,
          insecure: tls?.insecure === true,
          readSecret: readSecretFile,
        }),
      }),
  };
}
