/** A tool can't do what it was asked to. The message goes to the agent, and says what to do instead. */
export class ToolError extends Error {}
