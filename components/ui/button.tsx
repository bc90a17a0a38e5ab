import type { ButtonHTMLAttributes, Ref } from 'react';
import { classNames } from './class-names';

const VARIANTS = {
  primary: 'bg-accent text-on-accent border-transparent font-medium hover:opacity-90',
  plain: 'bg-raised text-text border-line hover:border-control',
  danger: 'bg-raised text-error border-line hover:border-error',
  ghost: 'bg-transparent text-text border-transparent hover:bg-text/8',
} as const;

/** Heights in px: `normal` 28, `small` 22. */
const SIZES = { normal: 'h-7 px-2.5 text-ui', small: 'h-[22px] px-1.5 text-small' } as const;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: keyof typeof VARIANTS;
  readonly size?: keyof typeof SIZES;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button with a verb on it. One `primary` a view. While `disabled` it does nothing and keeps the focus. */
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
      // Not `disabled`: a browser takes the focus away from a button that becomes so.
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
