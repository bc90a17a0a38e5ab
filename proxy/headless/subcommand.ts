import type { Negotiated } from '@/lib/mcp/handshake';
import type { ExitCode } from './exit-code';
import type { Output } from './output';
import type { HeadlessRequest } from './request';
import type { Session } from './session';

/** A connected server, and where to write. */
export interface Run {
  readonly session: Pick<Session, 'request' | 'exchange'>;
  readonly negotiated: Negotiated;
  readonly out: Output;
}

/**
 * What one word of the command line does. First it reads what it was given, before any server starts, throwing Stop for what
 * makes no sense; what it returns is run once the server is connected.
 */
export type Subcommand = (request: HeadlessRequest) => Promise<(run: Run) => Promise<ExitCode>>;
