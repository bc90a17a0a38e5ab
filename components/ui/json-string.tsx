import { useState } from 'react';
import { formatCount } from './format';
import { visibleText } from './visible-text';

/** Characters shown at first, and with each press after that. */
const FIRST = 400;
const MORE = 20_000;

/** A JSON string in quotes with its escapes; a long one is cut until asked for. */
export function JsonString({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(FIRST);
  const left = text.length - shown;
  const quoted = visibleText(JSON.stringify(left > 0 ? text.slice(0, shown) : text));
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
