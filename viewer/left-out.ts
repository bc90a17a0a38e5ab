// Stands in for what is opened by buttons that a file does not have: forms to connect, the list of recordings, sharing.
export {};
