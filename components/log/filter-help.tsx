import { Dialog } from '@/components/ui/dialog';
import { Sentence } from '@/components/ui/notices';
import { NUMBER_HELP, SYNTAX_HELP } from '@/lib/filter/complete';
import { FILTER_KEYS } from '@/lib/filter/keys/registry';

/** Explains the filter language. */
export function FilterHelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Filter help" width="wide" isText onClose={onClose}>
      <HelpSection title="Text" lines={SYNTAX_HELP} />
      <HelpSection
        title="Keys"
        lines={[...FILTER_KEYS.values()].map(({ name, meaning, examples }) => [
          `${name}:`,
          `${meaning}: ${examples.map((value) => `\`${value}\``).join(' ')}`,
        ])}
      />
      <HelpSection title="Numbers" lines={NUMBER_HELP} />
    </Dialog>
  );
}

function HelpSection({
  title,
  lines,
}: {
  readonly title: string;
  readonly lines: readonly (readonly [term: string, meaning: string])[];
}) {
  return (
    <section className="mb-3">
      <h3 className="mb-1 font-medium">{title}</h3>
      <dl className="grid grid-cols-[200px_minmax(0,1fr)] gap-x-3 gap-y-0.5 narrow:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        {lines.map(([text, meaning]) => (
          <div key={text} className="col-span-2 grid grid-cols-subgrid border-b border-line/60 py-0.5">
            <dt className="font-mono text-wire break-words">{text}</dt>
            <dd className="text-muted [&_code]:text-text">
              <Sentence text={meaning} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
