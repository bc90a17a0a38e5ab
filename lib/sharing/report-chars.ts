/** Characters in a bug report of a name in a line, of a command, and of a message. */
export const CHARS = { word: 200, command: 600, message: 6000 } as const;
