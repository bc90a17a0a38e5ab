import { memo } from 'react';
import { CODE_KINDS, type CodeKind } from '@/lib/highlight/code-kinds';
import { useCodeRuns } from '@/lib/hooks/highlight';
import { TextRuns } from './untrusted-text';

/** Longest code to colour, in characters. */
export const MOST_COLOURED = 60_000;

const COLOURS: Readonly<Record<CodeKind, string | undefined>> = {
  plain: undefined,
  keyword: 'text-to-client',
  string: 'text-ok',
  comment: 'text-muted',
  value: 'text-warn',
  name: 'text-notify',
};

/** A server's code in colours, as one inline text. Plain until its runs are found, and if its language is unknown. */
export const CodeText = memo(function CodeText({
  code,
  names,
}: {
  readonly code: string;
  /** Possible names of the language, with spaces between: a word of a fence, a MIME type, a file extension. */
  readonly names: string;
}) {
  const runs = useCodeRuns(code, names) ?? [];
  const parts = [];
  let from = 0;
  for (let at = 0; at < runs.length; at += 2) {
    const [end, kind] = [runs[at]!, CODE_KINDS[runs[at + 1]!] ?? 'plain'];
    parts.push(
      <span key={from} className={COLOURS[kind]}>
        <TextRuns text={code.slice(from, end)} />
      </span>,
    );
    from = end;
  }
  return (
    <>
      {parts}
      <TextRuns text={code.slice(from)} />
    </>
  );
});
