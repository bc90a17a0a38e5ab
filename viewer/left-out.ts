// Replaces modules that a shared file never opens: connect, recordings, evals, compare, share and samples.
export {};
