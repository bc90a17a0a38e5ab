// The providers of models, as data for the page, the terminal and the proxy. None is the default.

/** The form in which a provider wants requests and streams answers. */
export type Dialect = 'openai-responses' | 'openai-chat' | 'anthropic' | 'google';

export interface ModelProvider {
  /** The part of a model's name before the colon. */
  readonly id: string;
  readonly title: string;
  readonly dialect: Dialect;
  /** Its usual address. Absent: somebody has to give one. */
  readonly baseUrl?: string;
  /** The path of a base URL that is given without one. */
  readonly basePath: string;
  /** Environment variables that may hold the key, the first that is set counts. */
  readonly keyVariables: readonly string[];
  /** Environment variables that may hold another base URL. */
  readonly urlVariables: readonly string[];
  /** Requests without a key are refused. */
  readonly needsKey: boolean;
  /** How to start it on this machine. */
  readonly start?: string;
  /** How to get a model that it does not have, followed by the model's name. */
  readonly pull?: string;
}

/** Every provider, in the order in which they are offered. */
export const MODEL_PROVIDERS: readonly ModelProvider[] = [
  {
    id: 'openai',
    title: 'OpenAI',
    dialect: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    basePath: '/v1',
    keyVariables: ['OPENAI_API_KEY'],
    urlVariables: ['OPENAI_BASE_URL'],
    needsKey: true,
  },
  {
    id: 'anthropic',
    title: 'Anthropic',
    dialect: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    basePath: '/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
    urlVariables: ['ANTHROPIC_BASE_URL'],
    needsKey: true,
  },
  {
    id: 'google',
    title: 'Google',
    dialect: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    basePath: '/v1beta',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    urlVariables: ['GOOGLE_GEMINI_BASE_URL'],
    needsKey: true,
  },
  {
    id: 'openrouter',
    title: 'OpenRouter',
    dialect: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    basePath: '/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    urlVariables: ['OPENROUTER_BASE_URL'],
    needsKey: true,
  },
  {
    id: 'ollama',
    title: 'Ollama',
    dialect: 'openai-chat',
    baseUrl: 'http://127.0.0.1:11434/v1',
    basePath: '/v1',
    keyVariables: ['OLLAMA_API_KEY'],
    urlVariables: ['OLLAMA_BASE_URL', 'OLLAMA_HOST'],
    needsKey: false,
    start: 'ollama serve',
    pull: 'ollama pull',
  },
  {
    id: 'lmstudio',
    title: 'LM Studio',
    dialect: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1234/v1',
    basePath: '/v1',
    keyVariables: ['LMSTUDIO_API_KEY'],
    urlVariables: ['LMSTUDIO_BASE_URL'],
    needsKey: false,
    start: 'lms server start',
    pull: 'lms get',
  },
  {
    id: 'llamacpp',
    title: 'llama.cpp',
    dialect: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8080/v1',
    basePath: '/v1',
    keyVariables: ['LLAMA_API_KEY'],
    urlVariables: ['LLAMACPP_BASE_URL'],
    needsKey: false,
    start: 'llama-server -m MODEL.gguf --jinja',
  },
  {
    id: 'vllm',
    title: 'vLLM',
    dialect: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8000/v1',
    basePath: '/v1',
    keyVariables: ['VLLM_API_KEY'],
    urlVariables: ['VLLM_BASE_URL'],
    needsKey: false,
    start: 'vllm serve MODEL --enable-auto-tool-choice',
  },
  {
    id: 'compatible',
    title: 'OpenAI-compatible endpoint',
    dialect: 'openai-chat',
    basePath: '/v1',
    keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
    urlVariables: ['OPENAI_COMPATIBLE_BASE_URL'],
    needsKey: false,
  },
];
