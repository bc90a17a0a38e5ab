// Replaces modules that a shared file never opens: connect, recordings, pages of features, compare, share and samples.
export {};
