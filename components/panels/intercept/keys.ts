/** Keys that work on every panel. */
export const EVERYTHING_KEY = 'w';
export const RELEASE_ALL_KEY = 'F';
