import type { ComponentType } from 'react';
import type { AnswerButtonProps } from './answer-button';
import { CaseButton } from './evals/components/case-button';

/** The buttons of features below the answers of a model. */
export const ANSWER_BUTTONS: readonly ComponentType<AnswerButtonProps>[] = [CaseButton];
