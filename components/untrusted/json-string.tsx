import { useMemo, useState } from 'react';
import { formatCount } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import type { JsonSource } from '@/lib/wire/json-source';
import { cutText } from './cut-text';

/** Characters shown at first, and with each press after that. */
const FIRST = 400;
const MORE = 20_000;

/** A JSON string in quotes, read and written again, so that `\u00e9` is é; a long one is cut until asked for. */
export function JsonString({ json }: { readonly json: JsonSource }) {
  const [shown, setShown] = useState(FIRST);
  const text = useMemo(() => String(json.value), [json]);
  const cut = cutText(text, shown);
  const left = text.length - cut.length;
  const quoted = visibleText(JSON.stringify(cut));
  return (
    <span className="text-ok">
      {left > 0 ? quoted.slice(0, -1) : quoted}
      {left > 0 && (
        <button type="button" onClick={() => setShown(shown + MORE)} className="text-accent underline">
          … {formatCount(left)} more characters
        </button>
      )}
    </span>
  );
}
