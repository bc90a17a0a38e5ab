const TEXT = { type: 'string' } as const;

/** What a person fills in to answer `sampling/createMessage`: enough of its result for a form; anything else goes under JSON. */
export const SAMPLING_SCHEMA = {
  type: 'object',
  properties: {
    role: { enum: ['assistant', 'user'] },
    content: {
      anyOf: [
        {
          title: 'text',
          type: 'object',
          properties: { type: { const: 'text' }, text: TEXT },
          required: ['type', 'text'],
        },
        ...['image', 'audio'].map((type) => ({
          title: type,
          type: 'object',
          properties: { type: { const: type }, data: { ...TEXT, contentEncoding: 'base64' }, mimeType: TEXT },
          required: ['type', 'data', 'mimeType'],
        })),
        { title: 'JSON', type: ['object', 'array'] },
      ],
    },
    model: { ...TEXT, description: 'Which model is to have said it' },
    stopReason: { anyOf: [{ enum: ['endTurn', 'stopSequence', 'maxTokens', 'toolUse'] }, TEXT] },
  },
  required: ['role', 'content', 'model'],
};

/** Before anything is typed. */
export const SAMPLED = `{
  "role": "assistant",
  "content": {
    "type": "text",
    "text": ""
  },
  "model": "a person",
  "stopReason": "endTurn"
}`;

/** What the specification has clients answer when a person will not have it sampled. */
export const SAMPLING_REFUSED = { code: -1, message: 'User rejected sampling request' };
