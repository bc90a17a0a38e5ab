import { useMemo } from 'react';
import { classNames } from '@/components/ui/class-names';
import { type AnsiColor, ansiSpans } from './ansi';
import { UntrustedText } from './untrusted-text';

/** The theme's colours, which can be read in both themes; a terminal's black and white would not be. */
const COLORS: Record<AnsiColor, string | undefined> = {
  black: 'text-muted',
  red: 'text-error',
  green: 'text-ok',
  yellow: 'text-warn',
  blue: 'text-to-server',
  magenta: 'text-to-client',
  cyan: 'text-notify',
  white: undefined,
};

/** Terminal output: colours and weights drawn, every other escape sequence dropped, other control characters named. */
export function AnsiText({ text }: { readonly text: string }) {
  const spans = useMemo(() => ansiSpans(text), [text]);
  return spans.map((span, index) => (
    <UntrustedText
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no other identity
      key={index}
      text={span.text}
      className={classNames(span.color && COLORS[span.color], span.bold && 'font-bold', span.dim && 'text-muted')}
    />
  ));
}
