const TONES: Readonly<Record<string, string>> = {
  debug: 'text-muted',
  warning: 'text-warn',
  error: 'text-error',
  critical: 'text-error font-medium',
  alert: 'text-error font-medium',
  emergency: 'text-error font-medium',
};

/** Returns the class of a log level's colour, which only repeats what the word says. '' for info, notice and others. */
export function levelTone(level: string): string {
  return Object.hasOwn(TONES, level) ? TONES[level]! : '';
}
