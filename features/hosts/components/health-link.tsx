import { navigate } from '@/lib/hooks/location';
import type { Log } from '@/lib/store/log';
import { verdictsInShort, worstFirst } from '../lib/labels';
import { useVerdicts } from './use-verdicts';

/** Counts the obstacles of the chosen hosts. Opens the verdict on the worst one. */
export function HealthLink({ log, chosen }: { readonly log: Log; readonly chosen: readonly string[] }) {
  const verdicts = (useVerdicts(log) ?? []).filter(({ host }) => chosen.includes(host));
  const text = verdictsInShort(verdicts);
  if (text === '') return null;
  const [worst] = worstFirst(verdicts);
  return (
    <span className="flex min-w-0 items-center gap-[1ch] narrow:hidden">
      <span aria-hidden="true">·</span>
      <button
        type="button"
        title={text}
        onClick={() => navigate({ panel: 'hosts', item: worst!.host })}
        className="h-6 min-w-8 truncate hover:text-text"
      >
        {text}
      </button>
    </span>
  );
}
