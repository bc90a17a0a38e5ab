/** The server of the command line, whose tools an agent may call. Answers come from the recording of its session. */
export interface CallableServer {
  /** Name of the recording of the newest session; undefined before the first. */
  readonly recording: string | undefined;
  /**
   * Connects if there is no connection, or again if `restart`. Resolves with a sentence if that fails; the recording
   * has the details.
   */
  connect(restart: boolean, signal: AbortSignal): Promise<string | undefined>;
  /** Reads the list of tools, into the recording. Resolves with a sentence if that fails. */
  listTools(signal: AbortSignal): Promise<string | undefined>;
  /** Calls a tool. Resolves with the number of the request's frame, once it is answered, given up or lost. */
  callTool(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<number | undefined>;
  close(): Promise<void>;
}
