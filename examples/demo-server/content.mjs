// @ts-check
// The kinds of content a tool or a prompt can answer with.
/** @typedef {import('./eras.mjs').JsonObject} JsonObject */

/** @param {string} text @param {object} [annotations] @returns {JsonObject} */
export const text = (text, annotations) => ({ type: 'text', text, ...(annotations ? { annotations } : {}) });

/** @param {Buffer} bytes @param {string} [mimeType] @returns {JsonObject} */
export const image = (bytes, mimeType = 'image/png') => ({ type: 'image', data: bytes.toString('base64'), mimeType });

/** @param {Buffer} bytes @returns {JsonObject} */
export const audio = (bytes) => ({ type: 'audio', data: bytes.toString('base64'), mimeType: 'audio/wav' });

/** @param {{ uri: string, mimeType: string } & ({ text: string } | { blob: string })} resource @returns {JsonObject} */
export const embedded = (resource) => ({ type: 'resource', resource });

/** A result of one line. @param {string} line @returns {{ content: JsonObject[] }} */
export const say = (line) => ({ content: [text(line)] });

/** A structured result, with the text that older clients read. @param {JsonObject} value */
export const structured = (value) => ({ content: [text(JSON.stringify(value, null, 2))], structuredContent: value });
