/** Something is going on. `label` says what, for screen readers; without it the text beside says so. */
export function Spinner({ label }: { readonly label?: string }) {
  return (
    <span role={label ? 'status' : undefined} className="inline-flex items-center">
      <span
        aria-hidden="true"
        className="inline-block size-3 animate-spin rounded-full border-[1.5px] border-line border-t-accent"
      />
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}
