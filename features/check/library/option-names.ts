import { usageError } from '@/proxy/cli/exit-code';
import { ANSWERS, CLIENT, CONNECTION, type Names } from '@/proxy/library/known-options';
import type { CheckOptions, CompareOptions, DiffOptions, TestOptions } from './check-types';

const COMPARED = { compare: true, ignore: true } as const;

/** The options of the functions. */
export const CHECK_OPTION_NAMES = {
  check: {
    ...CLIENT,
    ...CONNECTION,
    allow: true,
    failOn: true,
    budget: true,
    for: true,
    pins: true,
    record: true,
    settings: true,
    baseline: true,
    requestTimeoutMs: true,
  } satisfies Names<CheckOptions>,
  test: {
    ...CLIENT,
    ...ANSWERS,
    ...CONNECTION,
    ...COMPARED,
    files: true,
    update: true,
    secrets: true,
  } satisfies Names<TestOptions>,
  diff: {
    ...CLIENT,
    ...ANSWERS,
    ...CONNECTION,
    ...COMPARED,
    failOn: true,
    pins: true,
  } satisfies Names<DiffOptions>,
};

/** Throws an ExitError for options about the client, because a recording has its own. */
export function refuseClient(recording: string, options: CompareOptions): void {
  const name = ([...Object.keys(CLIENT), ...Object.keys(ANSWERS), 'protocol'] as (keyof CompareOptions)[]).find(
    (one) => options[one] !== undefined,
  );
  if (name === undefined) return;
  throw usageError(`\`${recording}\` is played with its recorded client, so \`${name}\` has no effect: remove it.`);
}
