/** The item of the panel that stands for a chat that has not begun. */
export const NEW_CHAT = 'new';
