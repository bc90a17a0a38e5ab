import type { ReactNode } from 'react';

/** What would be here, and how to get it. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="flex h-full min-h-24 flex-col items-center justify-center gap-2 p-6 text-center">
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-[60ch] text-muted">{children}</div>}
    </div>
  );
}
