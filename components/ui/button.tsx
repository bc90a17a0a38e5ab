import { type ButtonHTMLAttributes, type ReactNode, type Ref, useEffect, useState } from 'react';
import { classNames } from './class-names';
import { visibleText } from './visible-text';

const VARIANTS = {
  primary: 'bg-accent text-on-accent border-transparent font-medium hover:opacity-90',
  plain: 'bg-raised text-text border-line hover:border-control',
  danger: 'bg-raised text-error border-line hover:border-error',
  ghost: 'bg-transparent text-text border-transparent hover:bg-text/8',
} as const;

/** Heights in px: `normal` 28, `small` 24. */
const SIZES = { normal: 'h-7 px-2.5 text-ui', small: 'h-6 px-1.5 text-small' } as const;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: keyof typeof VARIANTS;
  readonly size?: keyof typeof SIZES;
  readonly ref?: Ref<HTMLButtonElement>;
}

/**
 * A button labelled with a verb. At most one `primary` per view. While `disabled` it does nothing but keeps the focus.
 */
export function Button({
  variant = 'plain',
  size = 'normal',
  className,
  disabled = false,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      // Not the native `disabled`: it makes the browser drop the focus.
      aria-disabled={disabled || undefined}
      onClick={disabled ? (event) => event.preventDefault() : onClick}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded border whitespace-nowrap',
        'aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
        VARIANTS[variant],
        SIZES[size],
        className,
      )}
      {...rest}
    />
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Accessible name, also shown on hover. It may name things of a server. */
  readonly label: string;
  /** A glyph or an `<svg>`, 16 px. */
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A 24 px square button with a glyph. */
export function IconButton({ label, children, className, ...rest }: IconButtonProps) {
  const name = visibleText(label);
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      className={classNames(
        'inline-flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-text/8 hover:text-text',
        'aria-pressed:bg-text/10 aria-pressed:text-text disabled:opacity-55',
        className,
      )}
      {...rest}
    >
      <span aria-hidden="true" className="contents">
        {children}
      </span>
    </button>
  );
}

/** Time a button shows "Copied", in ms. */
const FEEDBACK_MS = 1500;

/** Returns a function that copies the text it is given, and a short feedback after each copy. */
export function useCopy() {
  const [outcome, setOutcome] = useState<{ readonly feedback: string }>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (text: () => string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setOutcome({ feedback: 'Copied' });
    } catch {
      setOutcome({ feedback: 'Could not copy' });
    }
  };
  return { feedback: outcome?.feedback, copy };
}

/** Copies what `text` returns when pressed, and shows "Copied" for a moment. */
export function CopyButton({
  text,
  label,
  name,
}: {
  readonly text: () => string;
  readonly label: string;
  /** Accessible name, if several buttons have the same label. */
  readonly name?: string;
}) {
  const { feedback, copy } = useCopy();
  return (
    <Button variant="ghost" size="small" aria-label={feedback ? undefined : name} onClick={() => void copy(text)}>
      <span aria-live="polite">{feedback ?? label}</span>
    </Button>
  );
}

/** A row of toggle buttons, one of them pressed: a choice between a few views. */
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
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out inline
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
