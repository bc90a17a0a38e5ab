import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './class-names';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Its accessible name, shown on hover too. */
  readonly label: string;
  /** A glyph or an `<svg>`, 16 px. */
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A square button of 24 px whose name is spoken and shown on hover. */
export function IconButton({ label, children, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
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
