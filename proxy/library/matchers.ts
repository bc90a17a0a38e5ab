import type { Problem, Session, Severity } from './api';

/** The result of a matcher, for vitest and jest. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** A session, or the report of a check. */
type Received = Session | { readonly problems: readonly Problem[] };

/** Severities, the gravest first. */
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Matchers for `expect.extend` of vitest and jest. */
export const matchers = {
  /**
   * Passes if a session, or the report of a check, has no problem of this severity or a graver one. Default: `warning`.
   */
  async toHaveNoProblems(received: Received, from: Severity = 'warning'): Promise<MatcherResult> {
    // Without this, a misspelt severity would pass everything.
    if (!SEVERITIES.includes(from))
      throw new TypeError(`The severity \`${from}\` is unknown: choose from ${SEVERITIES.join(', ')}.`);
    const all = await problemsOf(received);
    const found = all.filter(({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(from));
    const pass = found.length === 0;
    const message = (): string =>
      pass
        ? `Expected a problem of severity ${from} or graver, but there is none.`
        : `Expected no problem of severity ${from} or graver, but there are ${found.length}:\n${found.map(problemLine).join('\n')}`;
    return { pass, message };
  },
};

async function problemsOf(received: Received | undefined): Promise<readonly Problem[]> {
  if (typeof received?.problems === 'function') return received.problems();
  if (Array.isArray(received?.problems)) return received.problems;
  throw new TypeError('`toHaveNoProblems` takes a session, or the report of `check`. Was an `await` forgotten?');
}

function problemLine({ severity, rule, message, frames: [frame] }: Problem): string {
  return `  ${severity} ${rule}: ${message}${frame === undefined ? '' : ` (frame ${frame})`}`;
}
