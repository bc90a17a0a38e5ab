import type { Failure } from '@/lib/wire/lifecycle';

/** The failure of a process that does not answer on stdio, while an MCP server answers at the address it printed. */
export const SERVES_HTTP: Failure = {
  code: 'serves-http',
  message: 'The server sent no MCP message on stdout.',
  advice: 'Connect to the URL that it printed, or start it with its stdio transport.',
};

/** Codes of failures after which nothing had come in time. */
export const SILENCE: ReadonlySet<string> = new Set([
  'get-unanswered',
  'no-endpoint',
  'handshake-timeout',
  'probe-timeout',
  'timeout',
  SERVES_HTTP.code,
]);
