// Replaces modules that a shared file never opens: connect, recordings, compare, share and samples.
export {};
