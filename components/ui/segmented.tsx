import { Button } from './button';

/** A few readings of one thing, of which one is chosen: buttons that say by `aria-pressed` which. */
export function Segmented<Name extends string>({
  label,
  names,
  chosen,
  onChoose,
}: {
  /** Names the group: "View of the message". */
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lie in a row
    <div role="group" aria-label={label} className="inline-flex shrink-0 gap-0.5">
      {names.map((name) => (
        <Button
          key={name}
          size="small"
          variant={name === chosen ? 'plain' : 'ghost'}
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
          className="text-muted aria-pressed:border-control/60 aria-pressed:text-text"
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
