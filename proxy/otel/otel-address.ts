/** A fixed place for telemetry: of servers that somebody else starts, who has to know it before. */
export interface OtelAddress {
  readonly port: number;
  readonly token: string;
}

/** Reads `http://127.0.0.1:PORT/otel/TOKEN`. Returns undefined for anything else. */
export function readOtelAddress(text: string): OtelAddress | undefined {
  const [, port, token] = /^http:\/\/(?:127\.0\.0\.1|localhost):(\d{1,5})\/otel\/([\w-]{16,128})\/?$/.exec(text) ?? [];
  const number = Number(port);
  return token !== undefined && number > 0 && number < 65_536 ? { port: number, token } : undefined;
}
