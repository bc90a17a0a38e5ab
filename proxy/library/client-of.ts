import { isObject } from '@/lib/json/value';
import type { ClientHandler } from '@/lib/mcp/answering';
import { ErrorResponse } from '@/lib/mcp/answering';
import { ALL_CAPABILITIES } from '@/lib/wire/client-capabilities';
import { type ClientProfile, profileProblem } from '@/lib/wire/client-profile';
import { usageError } from '@/proxy/cli/exit-code';
import {
  type ClientOptions as CommandClient,
  impliedBy,
  type QuestionMethod,
} from '@/proxy/commands/headless/client-options';
import type { Answers, Asked, ClientOptions } from './api';
import { InspectError } from './inspect-error';
import type { JsonObject } from './mcp-types';

type Options = ClientOptions & Answers & { readonly timeoutMs?: number };

/** Returns the client that options describe. Throws an ExitError. */
export function clientOf(options: Options): CommandClient {
  const { clientInfo, capabilities, meta, timeoutMs } = options;
  const answers = answersOf(options);
  const profile = {
    capabilities: capabilities === 'all' ? ALL_CAPABILITIES : (capabilities ?? impliedBy(answers, false)),
    ...(clientInfo && { info: clientInfo }),
    ...(meta && { meta }),
    ...(timeoutMs !== undefined && { timeouts: { silenceMs: timeoutMs } }),
  };
  const problem = profileProblem(profile);
  if (problem !== undefined) throw usageError(problem);
  return { profile: profile as ClientProfile, isExact: isObject(capabilities), answers };
}

function answersOf({ sampling, elicitation, roots }: Answers): CommandClient['answers'] {
  const listRoots = async (asked: Asked) => ({ roots: typeof roots === 'function' ? await roots(asked) : roots });
  const given: readonly (readonly [QuestionMethod, Answer | undefined])[] = [
    ['sampling/createMessage', sampling],
    ['elicitation/create', elicitation],
    ['roots/list', roots && ((_, asked) => listRoots(asked))],
  ];
  return new Map(given.flatMap(([method, answer]) => (answer ? [[method, handlerOf(answer)] as const] : [])));
}

type Answer = (params: JsonObject, asked: Asked) => unknown;

function handlerOf(answer: Answer): ClientHandler {
  return async (params, { signal }) => {
    // A request and its cancellation may arrive in one chunk.
    signal.throwIfAborted();
    try {
      return JSON.stringify((await answer(isObject(params) ? params : {}, { signal })) ?? {});
    } catch (error) {
      if (error instanceof InspectError && typeof error.code === 'number')
        throw new ErrorResponse(error.code, error.message);
      throw error;
    }
  };
}
