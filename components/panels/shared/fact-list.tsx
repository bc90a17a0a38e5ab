import type { ReactNode } from 'react';

/** A group of facts under a heading. */
export function FactList({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="mb-1 font-medium">{title}</h2>
      <dl className="grid min-w-0 grid-cols-[120px_minmax(0,1fr)] gap-x-2 gap-y-1">{children}</dl>
    </section>
  );
}

/** A fact with its name; nothing if it is empty. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (children === undefined || children === null || children === false || children === '') return null;
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
