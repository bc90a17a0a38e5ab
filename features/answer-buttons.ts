import type { ComponentType } from 'react';
import { CaseButton } from './evals/components/case-button';
import type { AnswerButtonProps } from './page-feature';

/** The buttons of features below the answers of a model. */
export const ANSWER_BUTTONS: readonly ComponentType<AnswerButtonProps>[] = [CaseButton];
