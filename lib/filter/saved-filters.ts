import { METHOD } from '@/lib/wire/protocol-names';

/** The server's log messages, and the log records of telemetry. */
export const SERVER_LOGS = `(method:${METHOD.log} or (kind:other method:log))`;

/** Telemetry: spans, log records and metrics. */
export const SPANS = 'channel:otel';

/** Lines on stderr, which belong to no message. */
export const STDERR = 'kind:stderr';

/** Returns the filter for the server logs of one call, by the seq of its request. */
export function logsOfCall(request: number): string {
  return `${SERVER_LOGS} call:${request}`;
}

const LEVEL_TERM = /(?:^|\s)level:>=(\w+)(?=\s|$)/;

/** Returns the lowest level of log messages that a filter selects, if it says so. */
export function levelIn(filter: string): string | undefined {
  return LEVEL_TERM.exec(filter)?.[1];
}

/** Replaces the lowest level that a filter selects. undefined selects all. */
export function withLevel(filter: string, level: string | undefined): string {
  const rest = filter.replace(LEVEL_TERM, '').trim();
  return level === undefined ? rest : `${rest} level:>=${level}`.trim();
}
