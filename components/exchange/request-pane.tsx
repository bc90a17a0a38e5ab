import type { ReactNode } from 'react';

interface RequestPaneProps {
  /** The subject of the request, and its form. */
  readonly children: ReactNode;
  /** The bar that sends it. */
  readonly bar: ReactNode;
  readonly result: ReactNode;
}

/**
 * A request and its result: side by side if the pane is wide enough, each with its own scroll bar, or else one below
 * the other. The bar stays at the bottom of the form.
 */
export function RequestPane({ children, bar, result }: RequestPaneProps) {
  return (
    <div className="flex min-h-0 flex-1 [container:pane/size]">
      {/* The scroll padding keeps a focused field clear of the bar. */}
      <div className="min-h-0 min-w-0 flex-1 scroll-pb-12 overflow-auto @3xl/pane:grid @3xl/pane:grid-cols-2 @3xl/pane:grid-rows-[minmax(0,1fr)_auto] @3xl/pane:overflow-hidden short:scroll-pb-9">
        <div className="flex min-w-0 flex-col gap-3 p-3 @3xl/pane:overflow-auto short:gap-0.5 short:py-0.5">
          {children}
        </div>
        {bar}
        <div className="min-w-0 scroll-pb-14 border-t border-line p-3 @3xl/pane:col-start-2 @3xl/pane:row-span-2 @3xl/pane:row-start-1 @3xl/pane:overflow-auto @3xl/pane:border-t-0 @3xl/pane:border-l">
          {result}
        </div>
      </div>
    </div>
  );
}
