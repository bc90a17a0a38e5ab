/** Codes of failures after which nothing had come in time. */
export const SILENCE: ReadonlySet<string> = new Set([
  ...['get-unanswered', 'no-endpoint', 'handshake-timeout', 'probe-timeout', 'timeout'],
]);
