import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from './button';
import { classNames } from './class-names';
import { Icon } from './icon';
import { NARROW, useMedia } from './media';
import { moveFocus } from './page-focus';

const WIDTHS = {
  narrow: 'w-[420px]',
  normal: 'w-[640px]',
  wide: 'w-[880px]',
  wider: 'w-[1120px]',
  widest: 'w-[1600px]',
} as const;

/** In a narrow window. */
const FULL_SCREEN =
  'narrow:m-0 narrow:h-dvh narrow:max-h-none narrow:w-screen narrow:max-w-none narrow:rounded-none narrow:border-0';

/**
 * A modal `<dialog>` that is open while rendered. It fills a narrow window, unless its own width is `narrow`. Focuses
 * the element marked by `data-autofocus`, or its first field. Esc, the close button and a click outside call `onClose`.
 */
export function Dialog({
  title,
  onClose,
  width = 'normal',
  bare: isBare = false,
  parts = false,
  isText = false,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly width?: keyof typeof WIDTHS;
  /** Hides the title bar and the padding; the title still names the dialog. */
  readonly bare?: boolean;
  /** The content has parts that scroll on their own. */
  readonly parts?: boolean;
  /** The content is only text. It gets the focus, so that keys can scroll it. */
  readonly isText?: boolean;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A narrow dialog fills the window, so it needs its close button.
  const isNarrow = useMedia(NARROW);
  const bare = isBare && !isNarrow;
  // A layout effect closes the dialog while it is still in the page; only then does the browser restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) {
      element.showModal();
      // The browser would focus the scrolled region.
      const marked = element.querySelector<HTMLElement>('[data-autofocus]');
      moveFocus(marked ?? element.querySelector<HTMLElement>('input, textarea, select'));
    }
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does the same through the native cancel event
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      className={classNames(
        'm-auto mt-[10vh] max-h-[80vh] max-w-[calc(100vw-32px)] flex-col overflow-hidden rounded border border-line',
        // Its opener may be in small print that does not wrap.
        'bg-raised p-0 text-ui whitespace-normal text-text shadow-xl open:flex',
        width !== 'narrow' && FULL_SCREEN,
        WIDTHS[width],
      )}
    >
      <div className={bare ? 'sr-only' : 'flex h-10 shrink-0 items-center justify-between border-b border-line px-3'}>
        <h2 id={titleId} className="font-medium">
          {title}
        </h2>
        {!bare && (
          <IconButton label="Close" onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        )}
      </div>
      <div
        tabIndex={isText ? 0 : undefined}
        data-autofocus={isText || undefined}
        className={classNames('min-h-0 overflow-auto outline-none', parts && 'flex grow flex-col', !bare && 'p-3')}
      >
        {children}
      </div>
    </dialog>
  );
}
