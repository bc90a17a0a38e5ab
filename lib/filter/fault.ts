/** Why a text is no filter. */
export type FaultCode =
  | 'unclosed-quote'
  | 'unclosed-regex'
  | 'bad-regex'
  | 'unknown-key'
  | 'value-missing'
  | 'value-wrong'
  | 'term-missing'
  | 'unclosed-group'
  | 'nothing-to-close'
  | 'too-deep'
  | 'too-many';

/** Where a filter text goes wrong: characters [at, end), and in a sentence or two what would be right there. */
export interface FilterFault {
  readonly code: FaultCode;
  readonly at: number;
  readonly end: number;
  readonly message: string;
}
