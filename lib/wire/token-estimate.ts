import type { JsonObject } from '@/lib/json/value';

/** Bytes of a token. A real count depends on the model; JSON schemas of tools have 3 to 5 bytes a token. */
const BYTES_PER_TOKEN = 4;

const encoder = new TextEncoder();

/**
 * Estimates the tokens that a value takes in a model's context: the bytes of its compact JSON, a token for every four.
 * Every part of mcp-inspect that shows tokens uses it, marked with `~`.
 */
export function estimateTokens(value: unknown): number {
  return Math.ceil(encoder.encode(JSON.stringify(value) ?? '').length / BYTES_PER_TOKEN);
}

/** Estimates the tokens of a tool as a host gives it to a model: its name, description and input schema. */
export function tokensOfTool({ name, description, inputSchema }: JsonObject): number {
  return estimateTokens({ name, description, inputSchema });
}

/** Estimates the tokens of all tools together. */
export function tokensOfTools(tools: readonly JsonObject[]): number {
  return tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0);
}
