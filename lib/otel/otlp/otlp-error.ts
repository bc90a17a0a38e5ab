/** The body of an export can't be read. The message is a sentence for the log and for the sender. */
export class OtlpError extends Error {}
