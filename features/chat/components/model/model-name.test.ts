import { expect, test } from 'vitest';
import { modelNameProblem } from './model-name';

test.each(['scripted:rules.yaml', 'ollama:mistral-small', 'openrouter:meta-llama/llama-3.3:free', ' openai:gpt-5 '])(
  'the model %s can be asked',
  (model) => {
    expect(modelNameProblem(model)).toBeUndefined();
  },
);

test.each(['', 'gpt-5', 'opnai:gpt-5', 'ollama:', 'ollama: ', ':x'])(
  'the model %j can not, and why is said',
  (model) => {
    expect(modelNameProblem(model)).toMatch(/^(Choose|A model|The provider|Name)/);
  },
);
