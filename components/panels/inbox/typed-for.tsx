import { hasSecrets } from '@/components/form/secrets';
import { CopyButton } from '@/components/ui/copy-button';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { tryParseJson } from '@/lib/schema/json';

/** What a person had typed for a question that went away: to be read and copied. Closed if there are secrets in it. */
export function TypedFor({ text }: { readonly text: string }) {
  const secret = hasSecrets(text, tryParseJson(text).ok);
  return (
    <details open={!secret} className="mt-3 border-t border-line pt-3">
      <summary>
        What you had typed <CopyButton label="Copy" text={() => text} />
      </summary>
      <pre className="mt-1 font-mono text-wire break-words whitespace-pre-wrap">
        <UntrustedText text={text} />
      </pre>
    </details>
  );
}
