import { useMemo } from 'react';
import { classNames } from '@/components/ui/class-names';
import { ANSI_SEQUENCE } from '@/lib/wire/control-characters';
import { UntrustedText } from './untrusted-text';

/** The theme's colours, readable in both themes, unlike a terminal's black and white. */
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

/**
 * Terminal output with its colours and weights. Drops other escape sequences and shows control characters as escapes.
 */
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

/** A run of terminal output in one style. `color` is undefined for the terminal's default. */
export interface AnsiSpan {
  readonly text: string;
  readonly color?: AnsiColor;
  readonly bold: boolean;
  readonly dim: boolean;
}

export const ANSI_COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
export type AnsiColor = (typeof ANSI_COLORS)[number];

type Style = Omit<AnsiSpan, 'text'>;
const PLAIN: Style = { color: undefined, bold: false, dim: false };

/** Most parameters of a colour sequence to read. */
const PARAMETERS = 32;

/**
 * Splits text into styled runs. Reads ANSI colours and weights and drops other sequences (cursor, clipboard, links,
 * titles). Control characters outside sequences are kept. Linear in the length.
 */
export function ansiSpans(text: string): readonly AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let style = PLAIN;
  let end = 0;
  for (const match of text.matchAll(ANSI_SEQUENCE)) {
    if (match.index > end) spans.push({ text: text.slice(end, match.index), ...style });
    if (match[2] === 'm') style = restyled(style, match[1]!);
    end = match.index + match[0].length;
  }
  if (end < text.length) spans.push({ text: text.slice(end), ...style });
  return spans;
}

function restyled(before: Style, parameters: string): Style {
  const codes = parameters
    .slice(0, PARAMETERS * 4)
    .split(';', PARAMETERS)
    .map(Number);
  let style = before;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    // 38 and 48 choose palette colours, which are not drawn. Their arguments must be skipped.
    if (code === 38 || code === 48) i += codes[i + 1] === 2 ? 4 : 2;
    else style = STYLES.find(([applies]) => applies(code))?.[1](style, code) ?? style;
  }
  return style;
}

const STYLES: readonly (readonly [applies: (code: number) => boolean, apply: (style: Style, code: number) => Style])[] =
  [
    [(code) => code === 0, () => PLAIN],
    [(code) => code === 1, (style) => ({ ...style, bold: true })],
    [(code) => code === 2, (style) => ({ ...style, dim: true })],
    [(code) => code === 22, (style) => ({ ...style, bold: false, dim: false })],
    [(code) => code === 39, (style) => ({ ...style, color: undefined })],
    [(code) => code >= 30 && code <= 37, (style, code) => ({ ...style, color: ANSI_COLORS[code - 30] })],
    [(code) => code >= 90 && code <= 97, (style, code) => ({ ...style, color: ANSI_COLORS[code - 90] })],
  ];
