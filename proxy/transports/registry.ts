import { ConnectionError, type Transport } from '@/lib/transports/transport';
import type { Target } from '@/lib/wire/command';
import { type StdioSurroundings, StdioTransport } from './stdio';

type Kind = Target['transport'];

/** The member of the union that has this kind, also where members share kinds. */
type TargetOf<K extends Kind, T = Target> = T extends { transport: infer U } ? (K extends U ? T : never) : never;

/** What a target does not say itself. */
export interface TransportContext extends StdioSurroundings {
  /** The whole environment for a server process, decided by `serverEnvironment`. */
  readonly env: NodeJS.ProcessEnv;
  /** Absolute. */
  readonly cwd: string;
}

/** One entry a kind of target; a kind without one does not compile. */
const TRANSPORTS: { readonly [K in Kind]: (target: TargetOf<K>, context: TransportContext) => Transport } = {
  stdio: ({ command, args }, { env, cwd, ...surroundings }) =>
    new StdioTransport({ command, args, cwd, env }, surroundings),
  http: refuse,
  sse: refuse,
};

/** A transport for one life of one server, not opened yet. Throws {@link ConnectionError} `transport-unsupported`. */
export function createTransport(target: Target, context: TransportContext): Transport {
  // The entry and the target have the same kind, which the compiler can't follow through a union.
  const create = TRANSPORTS[target.transport] as (target: Target, context: TransportContext) => Transport;
  return create(target, context);
}

function refuse(): never {
  throw new ConnectionError({
    code: 'transport-unsupported',
    message: 'This version inspects servers that it starts itself (stdio), not servers at a URL.',
    advice: 'Give the command that runs the server over stdio instead.',
  });
}
