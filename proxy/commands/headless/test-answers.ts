import type { JsonObject } from '@/lib/json/value';
import { prepareAction } from '../test-command-line';
import type { ServerAnswer } from './server-connection';
import { keptOutput } from './test-connection';

/** Runs a command line against answers by method. A result is given as its text. Also returns the requests. */
export async function runAnswered(
  argv: readonly string[],
  answers: Record<string, string | ServerAnswer | (() => string)>,
  capabilities: JsonObject = {},
  version = '2026-07-28',
  invalid: { readonly invalidCapabilities?: unknown } = {},
) {
  const action = await prepareAction(...argv, '--demo');
  const out = keptOutput(argv.includes('--json'));
  const asked: [string, string | undefined][] = [];
  const session = {
    request: async (method: string, params?: string): Promise<ServerAnswer> => {
      asked.push([method, params]);
      const given = answers[method];
      const answer = typeof given === 'function' ? given() : given;
      if (answer === undefined) return { kind: 'error', error: { code: -32601, message: `no ${method}` } };
      return typeof answer === 'string' ? { kind: 'result', result: JSON.parse(answer), text: answer } : answer;
    },
    sendRaw: async () => {},
    sendText: async () => {},
    followTask: async () => ({ kind: 'result' as const, result: {}, text: '{}' }),
    requestSeq: async () => 0,
    untilStopped: async () => {},
    notify: () => {},
    leftMs: Number.POSITIVE_INFINITY,
    lookFurther: async () => {},
    sendAsHosts: async () => {},
  };
  const negotiated = {
    era: 'modern',
    version,
    capabilities,
    serverInfo: undefined,
    instructions: undefined,
    ...invalid,
  } as const;
  const code = await action({
    connection: session,
    negotiated,
    out,
    stray: { takeLines: () => undefined },
    explain: async (error) => error,
  });
  return { code, asked, stdout: out.stdout, notes: out.notes };
}
