import type { TypeText } from './shape';
import { ALWAYS, LEGACY, MODERN, ONLY_2025_11, type Span } from './spans';

/** What the protocol says of one error code. */
interface ErrorCodeRow extends Span {
  readonly name: string;
  /** Type that the error's `data` has to have. */
  readonly data?: TypeText;
}

/** Every code that a version gives a meaning. */
export const ERROR_CODES: ReadonlyMap<number, ErrorCodeRow> = new Map<number, ErrorCodeRow>([
  [-32700, { ...ALWAYS, name: 'ParseError' }],
  [-32600, { ...ALWAYS, name: 'InvalidRequest' }],
  [-32601, { ...ALWAYS, name: 'MethodNotFound' }],
  [-32602, { ...ALWAYS, name: 'InvalidParams' }],
  [-32603, { ...ALWAYS, name: 'InternalError' }],
  [-32002, { ...LEGACY, name: 'ResourceNotFound' }],
  [-32042, { ...ONLY_2025_11, name: 'UrlElicitationRequired', data: 'UrlElicitationData' }],
  [-32020, { ...MODERN, name: 'HeaderMismatch' }],
  [-32021, { ...MODERN, name: 'MissingRequiredClientCapability', data: 'MissingCapabilityData' }],
  [-32022, { ...MODERN, name: 'UnsupportedProtocolVersion', data: 'UnsupportedVersionData' }],
]);

/** True for codes that 2026-07-28 keeps for the protocol itself. */
export function isReservedCode(code: number): boolean {
  return code <= -32020 && code >= -32099;
}
