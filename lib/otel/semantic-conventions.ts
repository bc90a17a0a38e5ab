// Names of the semantic conventions for MCP, which are in development and may still change: one table, so that a newer
// revision is one change. Source: docs/gen-ai/mcp.md and model/mcp at commit 0e5e6a8d59d38c9c19556a5164a83cc11a7d53ff
// of https://github.com/open-telemetry/semantic-conventions-genai, which has no release yet.

/** Attributes of the conventions that we write. */
export const ATTRIBUTE = {
  method: 'mcp.method.name',
  session: 'mcp.session.id',
  protocolVersion: 'mcp.protocol.version',
  resourceUri: 'mcp.resource.uri',
  tool: 'gen_ai.tool.name',
  prompt: 'gen_ai.prompt.name',
  operation: 'gen_ai.operation.name',
  requestId: 'jsonrpc.request.id',
  errorCode: 'rpc.response.status_code',
  errorType: 'error.type',
  transport: 'network.transport',
  networkProtocol: 'network.protocol.name',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  resendCount: 'http.request.resend_count',
} as const;

/** Attributes of the resource. */
export const RESOURCE = {
  service: 'service.name',
  version: 'service.version',
  instance: 'service.instance.id',
} as const;

/** Attributes that the conventions lack. */
export const OWN_ATTRIBUTE = {
  recording: 'mcp_inspect.recording.id',
  file: 'mcp_inspect.recording.file',
  frame: 'mcp_inspect.recording.frame',
  responseFrame: 'mcp_inspect.recording.response_frame',
  server: 'mcp_inspect.server.name',
  serverVersion: 'mcp_inspect.server.version',
  client: 'mcp_inspect.client.name',
  requestBytes: 'mcp_inspect.request.size',
  responseBytes: 'mcp_inspect.response.size',
  progress: 'mcp_inspect.progress.count',
  rounds: 'mcp_inspect.input.rounds',
  round: 'mcp_inspect.input.round',
  task: 'mcp_inspect.task',
} as const;

/**
 * Attributes with what was passed to a tool, prompt or model, or came back, and the session id, which is a credential.
 * They are removed from the server's own spans before these are passed on, and so is each name that goes on after a
 * dot, except that of a prompt.
 */
export const CONTENT_ATTRIBUTES = [
  // The conventions, and older revisions of them.
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.prompt',
  'gen_ai.completion',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.event.content',
  ATTRIBUTE.session,
  // OpenInference and OpenLLMetry, which instrument SDKs of MCP.
  'input.value',
  'output.value',
  'tool.parameters',
  'llm.input_messages',
  'llm.output_messages',
  'traceloop.entity.input',
  'traceloop.entity.output',
] as const;

/** `gen_ai.operation.name` of a call of a tool. Other methods have none. */
export const EXECUTE_TOOL = 'execute_tool';

/** Values of `error.type` beside the codes of JSON-RPC errors. The first is of the conventions. */
export const ERROR_TYPE = {
  'tool-error': 'tool_error',
  cancelled: 'cancelled',
  timeout: 'timeout',
  lost: 'connection_lost',
  refused: 'refused',
} as const;

/** Marks the series that counts what has no series of its own. */
export const OVERFLOW = 'otel.metric.overflow';

/**
 * Codes that tell a client that it asked for the wrong thing. They are errors for who asks, but not for who answers:
 * Parse error, Invalid Request, Method not found, Invalid params, Resource not found.
 */
export const REFUSAL_CODES: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32002]);

/** Histograms, in seconds. */
export const METRIC = {
  clientOperation: {
    name: 'mcp.client.operation.duration',
    description:
      'The duration of the MCP request or notification as observed on the sender from the time it was sent until the response or ack is received.',
  },
  serverOperation: {
    name: 'mcp.server.operation.duration',
    description:
      'MCP request or notification duration as observed on the receiver from the time it was received until the result or ack is sent.',
  },
  clientSession: {
    name: 'mcp.client.session.duration',
    description: 'The duration of the MCP session as observed on the MCP client.',
  },
} as const;

/** Upper bounds of the buckets of all {@link METRIC}s, in seconds. */
export const DURATION_BOUNDS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
