import { BASES, type GoodRequest, type Headers, type Target } from './good-requests';

/** A good request with one thing wrong, and the guard rules that must all be gone for it to get through. */
export interface AttackRow {
  /** Its number in the threat model. */
  readonly attack: number;
  readonly name: string;
  readonly base: keyof typeof BASES;
  readonly status: number;
  /** Guard rules that stop it, each alone. */
  readonly rules: readonly string[];
  /** Something besides the guard refuses it as well, on the wire: Node's parser, or the front door. */
  readonly also?: 'parser' | 'front door';
  readonly method?: string;
  target?(at: Target): string;
  /** Replace those of the base; `[]` takes one away. */
  headers?(at: Target): Headers;
  readonly version?: '1.0';
  readonly body?: string;
}

/** The row's request in full. */
export function requestOf(
  row: AttackRow,
  at: Target,
): { method: string; target: string; headers: [string, string][]; body: string } {
  const base: GoodRequest = BASES[row.base];
  const headers = { ...base.headers(at), ...row.headers?.(at) };
  return {
    method: row.method ?? base.method,
    target: row.target?.(at) ?? base.target,
    headers: Object.entries(headers).flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value]),
    ),
    body: row.body ?? base.body ?? '',
  };
}
