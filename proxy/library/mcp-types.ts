// What servers answer, as far as tests need it. The types describe valid answers, and nothing is checked: a server may
// send anything, which `problems()` reports.

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: unknown;
}

/** A part of a result or of a prompt. */
export type Content =
  | { readonly type: 'text'; readonly text: string; readonly annotations?: JsonObject; readonly _meta?: JsonObject }
  | {
      readonly type: 'image' | 'audio';
      /** Base64. */
      readonly data: string;
      readonly mimeType: string;
      readonly annotations?: JsonObject;
      readonly _meta?: JsonObject;
    }
  | (Resource & { readonly type: 'resource_link' })
  | {
      readonly type: 'resource';
      readonly resource: ResourceContents;
      readonly annotations?: JsonObject;
      readonly _meta?: JsonObject;
    };

/** The result of a tool. `isError` is a failure that the tool reports; an error of the protocol is thrown. */
export interface CallResult {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
}

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
}

export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
}

export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
  readonly _meta?: JsonObject;
}

/** The contents of a resource: `text`, or `blob` in Base64. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: JsonObject;
}

export interface ReadResult {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: JsonObject;
}

export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: Content }[];
  readonly _meta?: JsonObject;
}

/** Values that complete an argument. */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** The reply of a model to `sampling/createMessage`. */
export interface SamplingResult {
  readonly role: 'user' | 'assistant';
  readonly content: Content | readonly Content[] | JsonObject;
  readonly model: string;
  readonly stopReason?: string;
}

/** The answer of a person to `elicitation/create`. */
export interface ElicitationResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: JsonObject;
}

export interface Root {
  readonly uri: string;
  readonly name?: string;
}
