import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { FaultPath } from '@/lib/protocol/checks';
import type { SeenMessage } from '../protocol-state';
import { messageRule, type ProtocolRule, quote } from '../rule';
import { type InputRequest, inputRequestsIn } from './input-requests';

/** Returns the sampling requests in a message of either era. */
export function samplingIn(seen: SeenMessage): readonly InputRequest[] {
  const asked =
    seen.kind === 'request' ? [{ method: seen.method, params: seen.params, path: [] }] : inputRequestsIn(seen);
  return asked.filter(({ method }) => method === 'sampling/createMessage');
}

/** Returns the blocks of a message, which has one or a list of them, and their paths. */
export function blocksOf(message: unknown): readonly { readonly block: unknown; readonly at: FaultPath }[] {
  const content = isObject(message) ? own(message, 'content') : undefined;
  if (!Array.isArray(content)) return [{ block: content, at: ['content'] }];
  return content.map((block, index) => ({ block, at: ['content', index] }));
}

/** A block that uses a tool, or has the result of a use. */
interface ToolBlock {
  readonly id: string;
  /** Path from the params. */
  readonly path: FaultPath;
}

/** A message of a sampling request. */
interface Turn {
  readonly role: unknown;
  readonly uses: readonly ToolBlock[];
  readonly results: readonly ToolBlock[];
  /** Number of other blocks. */
  readonly others: number;
  readonly path: FaultPath;
}

function turnsOf(params: JsonObject): readonly Turn[] {
  const messages = own(params, 'messages');
  return (Array.isArray(messages) ? messages : []).map((message: unknown, index) => {
    const path = ['messages', index];
    const blocks = blocksOf(message);
    const named = (type: string, key: string) =>
      blocks.flatMap(({ block, at }) => {
        const id = isObject(block) && own(block, 'type') === type ? own(block, key) : undefined;
        return typeof id === 'string' ? [{ id, path: [...path, ...at] }] : [];
      });
    const [uses, results] = [named('tool_use', 'id'), named('tool_result', 'toolUseId')];
    const role = isObject(message) ? own(message, 'role') : undefined;
    return { role, uses, results, others: blocks.length - uses.length - results.length, path };
  });
}

/** A finding of a rule about the turns of a sampling request. */
interface TurnFault {
  readonly message: string;
  /** Path from the params. */
  readonly path: FaultPath;
}

/** Builds a rule about the turns of each sampling request. */
function turnRule(
  rule: Omit<ProtocolRule, 'checks' | 'topic' | 'severity'>,
  faultsOf: (turns: readonly Turn[]) => Iterable<TurnFault>,
): ProtocolRule {
  return messageRule(
    { ...rule, kinds: ['request', 'response'], severity: 'error', topic: 'tool-messages' },
    (seen, _state, report) => {
      for (const { params, path } of samplingIn(seen)) {
        for (const fault of faultsOf(turnsOf(params)))
          report({ message: fault.message, path: [...path, 'params', ...fault.path] });
      }
    },
  );
}

/** Rules about sampling requests. */
export const SAMPLING_RULES: readonly ProtocolRule[] = [
  turnRule(
    {
      id: 'tool-result-unmatched',
      title: 'tool_result without its tool_use',
      advice: 'Send the assistant message with the tool_use before its result, and repeat its id in toolUseId.',
    },
    function* (turns) {
      const used = new Set<string>();
      for (const { uses, results } of turns) {
        for (const { id } of uses) used.add(id);
        for (const { id, path } of results) {
          if (!used.has(id))
            yield {
              message: `No message before has a tool_use with the id ${quote(id)}.`,
              path: [...path, 'toolUseId'],
            };
        }
      }
    },
  ),
  turnRule(
    {
      id: 'tool-result-mixed',
      title: 'tool_result beside other content',
      advice: 'Send tool results in a user message of their own.',
    },
    function* (turns) {
      for (const { uses, results, others, path } of turns) {
        const beside = uses.length + others;
        if (results.length === 0 || beside === 0) continue;
        yield {
          message: `The message has ${beside} other ${beside === 1 ? 'block' : 'blocks'} beside its tool results.`,
          path: [...path, 'content'],
        };
      }
    },
  ),
  turnRule(
    {
      id: 'tool-role',
      title: 'Tool use or tool result of the wrong role',
      advice: 'Send tool uses in a message of the assistant, and their results in a message of the user.',
    },
    function* (turns) {
      for (const { role, uses, results, path } of turns) {
        if (uses.length > 0 && role === 'user')
          yield { message: 'The role of a message with a tool use is "user".', path: [...path, 'role'] };
        if (results.length > 0 && role === 'assistant')
          yield { message: 'The role of a message with a tool result is "assistant".', path: [...path, 'role'] };
      }
    },
  ),
  turnRule(
    {
      id: 'tool-use-unanswered',
      title: 'tool_use without its tool_result',
      advice: 'Let a user message with one tool_result for each tool_use follow, before any other message.',
    },
    function* (turns) {
      for (const [index, { uses }] of turns.entries()) {
        const results = new Set(turns[index + 1]?.results.map(({ id }) => id));
        for (const { id, path } of uses) {
          if (!results.has(id))
            yield { message: `The next message has no tool_result for the id ${quote(id)}.`, path: [...path, 'id'] };
        }
      }
    },
  ),
  turnRule(
    {
      id: 'tool-use-repeated',
      title: 'Id of another tool_use',
      advice: 'Give each tool_use of a conversation its own id.',
    },
    function* (turns) {
      const used = new Set<string>();
      for (const { id, path } of turns.flatMap(({ uses }) => uses)) {
        if (used.has(id)) yield { message: `Another tool_use has the id ${quote(id)}.`, path: [...path, 'id'] };
        used.add(id);
      }
    },
  ),
];
