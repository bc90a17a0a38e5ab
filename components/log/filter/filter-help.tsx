import { useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { IconButton } from '@/components/ui/icon-button';
import { NUMBERS, SYNTAX } from '@/lib/filter/filter-words';
import { KEYS } from '@/lib/filter/keys/registry';

/** The button that explains the filter language. */
export function FilterHelp() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label="What the filter understands" onClick={() => setOpen(true)}>
        ?
      </IconButton>
      {open && (
        <Dialog title="What the filter understands" width="wide" onClose={() => setOpen(false)}>
          <Lines title="Text" lines={SYNTAX} />
          <Lines
            title="Keys"
            lines={[...KEYS.values()].map(({ name, meaning, examples }) => [
              `${name}:`,
              `${meaning}: ${examples.map((value) => `\`${value}\``).join(' ')}`,
            ])}
          />
          <Lines title="Numbers" lines={NUMBERS} />
        </Dialog>
      )}
    </>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly (readonly [string, string])[] }) {
  return (
    <section className="mb-3">
      <h3 className="mb-1 font-medium">{title}</h3>
      <dl className="grid grid-cols-[200px_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {lines.map(([text, meaning]) => (
          <div key={text} className="col-span-2 grid grid-cols-subgrid border-b border-line/60 py-0.5">
            <dt className="font-mono text-wire">{text}</dt>
            <dd className="text-muted">
              <WithCode text={meaning} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What stands between backticks is what may be typed. */
function WithCode({ text }: { readonly text: string }) {
  return text.split('`').map((piece, at) =>
    at % 2 === 0 ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which does not change
      <code key={at} className="text-text">
        {piece}
      </code>
    ),
  );
}
