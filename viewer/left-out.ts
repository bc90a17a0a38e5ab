// Stands in for what only buttons open that a file does not have: to connect, to list recordings, to compare, to share,
// to make samples.
export {};
