/** Thrown by everything in this library. */
export class InspectError extends Error {
  /** The number of a JSON-RPC error of the server, or a word such as `timeout`, `aborted` or `server-exited`. */
  readonly code: number | string;
  /** The `data` of the server’s error. */
  readonly data: unknown;

  constructor(
    code: number | string,
    message: string,
    options: { readonly data?: unknown; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'InspectError';
    this.code = code;
    this.data = options.data;
  }
}

// Minifying renames the class, and Node prints its name.
Object.defineProperty(InspectError, 'name', { value: 'InspectError' });
