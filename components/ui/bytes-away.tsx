/** Stands for the text of a message that left the page because the log is long. */
export function BytesAway({ gone }: { readonly gone: boolean }) {
  return (
    <p role="status" className="p-2 text-muted">
      {gone
        ? 'The text of this message is no longer available: it left this page, which holds the newest of a long log, and the connection or the link to it is gone.'
        : 'The text of this message left this page, which holds the newest of a long log. It is being fetched…'}
    </p>
  );
}
