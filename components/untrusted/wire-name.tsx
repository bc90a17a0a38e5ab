import { Fragment } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { shortenText, TextRuns } from './untrusted-text';

/** Matches before a word of a name: `created|DateTime`, `max_|items`, `JSON|Schema`. */
const WORD_STARTS = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[._/:-])(?=[^._/:-])/u;

/** Characters of a longer name that are shown on hover. */
const TITLE = 1000;

interface WireNameProps {
  readonly text: string;
  /** Characters. A longer name is cut. */
  readonly limit: number;
  readonly id?: string;
  /** A word that is longer than a line is not broken, because its place cuts it. */
  readonly keepsWords?: boolean;
}

/** A server's name for something. It breaks between its words. A word that does not fit in a line breaks anywhere. */
export function WireName({ text, limit, id, keepsWords = false }: WireNameProps) {
  return (
    <bdi
      id={id}
      title={text.length > limit ? visibleText(shortenText(text, TITLE)) : undefined}
      className={keepsWords ? undefined : 'break-words'}
    >
      {shortenText(text, limit)
        .split(WORD_STARTS)
        .map((word, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words of a name do not move
          <Fragment key={index}>
            {index > 0 && <wbr />}
            <TextRuns text={word} />
          </Fragment>
        ))}
      {text.length > limit && '…'}
    </bdi>
  );
}
