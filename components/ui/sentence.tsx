import { Fragment, type ReactNode } from 'react';
import { codeParts } from './code-parts';

interface SentenceProps {
  readonly text: string;
  /** Draws a piece of it; where it may quote others, that has to be by what they can't harm. As it is if absent. */
  readonly draw?: (text: string) => ReactNode;
}

/** A sentence of ours: what stands between backticks in it is code. */
export function Sentence({ text, draw = (piece) => piece }: SentenceProps) {
  return codeParts(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have nothing but their order
    <Fragment key={index}>{part.code ? <code>{draw(part.text)}</code> : draw(part.text)}</Fragment>
  ));
}
