import type { EvalSetup } from '@/features/evals/lib/evals-api';

/** Key of the draft with the eval that the page shows. */
export const SHOWN_DRAFT = 'eval-shown';
/** Stands for an eval that has not begun. */
export const NEW_EVAL = 'new';

/** Key of the draft with the cases that somebody is writing. */
export const SETUP_DRAFT = 'eval-setup';
/** Name of cases that are in no file. */
export const WRITTEN_CASES = 'written cases';

export const EMPTY_SETUP: EvalSetup = { name: WRITTEN_CASES, text: '', allow: { mode: 'ask' } };
