import { UntrustedText } from './untrusted-text';

/** Markdown as it was written. */
export function PlainMarkdown({ text }: { readonly text: string }) {
  return (
    <p className="whitespace-pre-wrap">
      <UntrustedText text={text} />
    </p>
  );
}
