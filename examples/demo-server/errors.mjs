// @ts-check

/** Thrown by a method, it becomes the `error` of the response. */
export class RpcError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   * @param {unknown} [data]
   */
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** The `error` member; `data` only if there is some. */
  toJSON() {
    return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
  }
}

/** @param {string} message @param {unknown} [data] */
export const invalidRequest = (message, data) => new RpcError(-32600, message, data);
/** @param {string} method */
export const methodNotFound = (method) => new RpcError(-32601, `Method not found: ${method}`);
/** @param {string} message @param {unknown} [data] */
export const invalidParams = (message, data) => new RpcError(-32602, message, data);

/** Thrown inside a request that the client has cancelled: it gets no response. */
export class Cancelled extends Error {}
