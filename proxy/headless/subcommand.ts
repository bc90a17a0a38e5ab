import type { Negotiated } from '@/lib/mcp/handshake';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { Frame } from '@/lib/wire/frame';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import type { ExitCode } from '../cli/exit-code';
import type { Output } from '../terminal/output';
import type { HeadlessRequest } from './request';
import type { PlayedClient, Session } from './session';
import type { StrayOutput } from './stray-output';

/** A connected server, and where to write. */
export interface Run {
  readonly session: Pick<Session, 'request' | 'exchange' | 'play' | 'notify'>;
  /** undefined: there was no handshake. */
  readonly negotiated: Negotiated | undefined;
  readonly out: Output;
  /** The server's output that is not MCP. */
  readonly stray: Pick<StrayOutput, 'takeLines'>;
}

/** What is done once the server is connected, and what is special about the connection. */
export type Action = ((run: Run) => Promise<ExitCode>) & {
  readonly connect?: {
    /** Spoken unless the command line says another. */
    readonly protocol?: ProtocolChoice;
    readonly client?: PlayedClient;
    /** Sees every frame. */
    readonly heard?: (frame: Frame) => void;
    /** Is told of what the server is given and of what is masked in frames, before they come. */
    readonly redactor?: CaptureRedactor;
  };
};

/**
 * What one word of the command line does. First it reads what it was given, before any server starts, throwing Stop for what
 * makes no sense; what it returns is run once the server is connected.
 */
export type Subcommand = (request: HeadlessRequest) => Promise<Action>;
