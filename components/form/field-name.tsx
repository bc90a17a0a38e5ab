import { Fragment } from 'react';
import { TextRuns, UntrustedText } from '@/components/untrusted/untrusted-text';

/** Characters of a name that fit a line anywhere. */
const SHORT = 12;

/** Before a capital after a small letter, and after a separator. */
const SEAMS = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=[._/:-])(?=[^._/:-])/u;

/** A property's name; too long for its line, it breaks where its words do: `created|Date|Time`. */
export function FieldName({ text }: { readonly text: string }) {
  if (text.length <= SHORT || text.length > 120) return <UntrustedText text={text} limit={120} />;
  return (
    <bdi className="break-words">
      {text.split(SEAMS).map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words of a name do not move
        <Fragment key={index}>
          {index > 0 && <wbr />}
          <TextRuns text={word} />
        </Fragment>
      ))}
    </bdi>
  );
}
