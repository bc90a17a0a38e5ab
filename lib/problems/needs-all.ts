/**
 * Rules that hold a message against others: where frames are missing, those may have been among them, and what the rules find says
 * nothing about anybody.
 */
export const NEEDS_ALL: ReadonlySet<string> = new Set([
  ...['unknown-id', 'id-type-changed', 'before-initialized', 'capability-undeclared', 'notification-undeclared'],
  ...['progress-unknown-token', 'input-required-not-allowed', 'notification-off-stream', 'listen-not-acknowledged'],
  ...['log-not-asked-for', 'header-mismatch', 'http-status', 'stream-without-answer'],
]);
