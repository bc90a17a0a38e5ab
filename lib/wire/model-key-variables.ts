/** Environment variables that hold keys of models. Programs that we start don't need them, and don't get them. */
export const MODEL_KEY_VARIABLES: ReadonlySet<string> = new Set([
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'OPENROUTER_API_KEY',
  'OLLAMA_API_KEY',
  'LMSTUDIO_API_KEY',
  'LLAMA_API_KEY',
  'VLLM_API_KEY',
  'OPENAI_COMPATIBLE_API_KEY',
]);
