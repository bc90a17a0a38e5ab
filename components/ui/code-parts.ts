/** A piece of a sentence; `code` is what stands between backticks in it. */
export interface SentencePart {
  readonly code: boolean;
  readonly text: string;
}

/** A sentence as it is drawn: what is between two backticks is code. One that has no other half is a character like any other. */
export function codeParts(sentence: string): readonly SentencePart[] {
  const texts = sentence.split('`');
  if (texts.length % 2 === 0) texts.push(texts.splice(-2).join('`'));
  return texts.map((text, index) => ({ code: index % 2 === 1, text })).filter(({ text }) => text !== '');
}
