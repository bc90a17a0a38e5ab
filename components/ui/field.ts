/** The look that every text box and select shares: 28 px, a hairline that is visible enough to find. */
export const FIELD =
  'h-7 w-full min-w-0 rounded border border-control/60 bg-bg px-2 text-ui text-text placeholder:text-muted ' +
  'hover:border-control aria-invalid:border-error disabled:opacity-55 [&[readonly]]:border-line [&[readonly]]:bg-surface';
