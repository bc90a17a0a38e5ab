// The functions and types that features add to the library.
export { chat } from './chat/library/chat';
export type * from './chat/library/chat-types';
export { check, diff, test } from './check/library/check';
export type * from './check/library/check-types';
