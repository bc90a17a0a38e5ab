import { CodeText, MOST_COLOURED } from './code-text';
import { LongText } from './long-text';

/** A server's code of any length. Long code has no colours. */
export default function CodeDocument({ code, names }: { readonly code: string; readonly names: string }) {
  if (code.length > MOST_COLOURED) return <LongText text={code} />;
  return (
    <pre className="font-mono text-wire break-words whitespace-pre-wrap" dir="auto">
      <CodeText code={code} names={names} />
    </pre>
  );
}
