/** How grave a finding is: told by a glyph, a word and a colour, each enough by itself. */
type Severity = 'error' | 'warning' | 'info';

export const SEVERITY_GLYPH: Readonly<Record<Severity, string>> = { error: '▲', warning: '△', info: '•' };
export const SEVERITY_WORD: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'info' };
export const SEVERITY_COLOUR: Readonly<Record<Severity, string>> = {
  error: 'text-error',
  warning: 'text-warn',
  info: 'text-muted',
};
