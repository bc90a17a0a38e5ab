import type { Option, OptionKey } from '@/proxy/cli/grammar';
import { ALLOW_OPTION } from '@/proxy/cli/options';

/** The keys of `--model-option`. Those from `calls` on limit an answer. */
const MODEL_KEYS: readonly OptionKey[] = [
  { name: 'system', value: 'TEXT', help: 'the system prompt; @FILE reads it from a file' },
  { name: 'url', value: 'URL', help: 'base URL, instead of the provider default' },
  { name: 'temperature', value: 'N', help: 'sampling temperature, 0 to 2' },
  { name: 'tools', value: 'MODE', help: 'native tool calls, or described in the system prompt' },
  { name: 'naming', value: 'PATTERN', help: 'names of tools (default {server?}__{tool})' },
  { name: 'calls', value: 'N', help: 'most calls of an answer (20)' },
  { name: 'tokensPerAnswer', value: 'N', help: 'most tokens of all requests of an answer (1000000)' },
  { name: 'outputTokens', value: 'N', help: 'most tokens that one request returns (4096)' },
  { name: 'seconds', value: 'N', help: 'longest answer (300)' },
  { name: 'resultChars', value: 'N', help: 'characters of a result that the model gets (100000)' },
];

/** The model of a chat or an eval, and how it is asked. */
export const MODEL_OPTIONS: readonly Option[] = [
  { name: 'model', value: 'PROVIDER:MODEL', help: 'such as ollama:mistral-small, or scripted:FILE for a script' },
  { name: 'model-option', value: 'KEY=VALUE', help: 'how the model is asked; repeatable', keys: MODEL_KEYS },
  ALLOW_OPTION,
];
