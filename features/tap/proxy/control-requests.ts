import { type JsonObject, own, textOrJson } from '@/lib/json/value';
import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import { ConnectionError } from '@/lib/transports/transport';
import type { HoldDecision, InterceptRule } from '@/lib/wire/intercept';
import { decisionFault, rulesFault } from '@/lib/wire/intercept-checks';

/** The session that pages have rules in. Its methods throw a Failure, and change nothing then. */
export interface RuledSession {
  setRules(owner: RuleOwner, rules: readonly InterceptRule[]): void;
  setOverlay(owner: RuleOwner, overlay: string): void;
  read(hold: number): Uint8Array;
  decide(hold: number, decision: HoldDecision): void;
}

/** Does what a page asks for. Returns further fields of the answer. Throws a Failure. */
export function answerRequest(session: RuledSession, owner: RuleOwner, asked: JsonObject): object | undefined {
  const name = own(asked, 'do');
  const run = typeof name === 'string' && Object.hasOwn(REQUESTS, name) ? REQUESTS[name] : undefined;
  if (!run) throw new ConnectionError(MALFORMED);
  return run(session, owner, asked);
}

type Request = (session: RuledSession, owner: RuleOwner, asked: JsonObject) => object | undefined;

/** The requests of a page, by name. Their fields are those of its commands. */
const REQUESTS: Readonly<Record<string, Request>> = {
  'set-rules'(session, owner, asked) {
    const rules = own(asked, 'rules');
    const fault = rulesFault(rules, 'page');
    if (fault !== undefined)
      throw new ConnectionError({ ...MALFORMED, message: `The rules are invalid: rules${fault}.` });
    session.setRules(owner, rules as readonly InterceptRule[]);
    return undefined;
  },
  'set-overlay'(session, owner, asked) {
    session.setOverlay(owner, textOrJson(own(asked, 'overlay')));
    return undefined;
  },
  'read-held'(session, _owner, asked) {
    return { held: Buffer.from(session.read(own(asked, 'hold') as number)).toString('base64') };
  },
  decide(session, _owner, asked) {
    const decision = own(asked, 'decision');
    const fault = decisionFault(decision);
    if (fault !== undefined) throw new ConnectionError({ ...MALFORMED, message: `The decision is invalid: ${fault}.` });
    session.decide(own(asked, 'hold') as number, decision as HoldDecision);
    return undefined;
  },
};

const MALFORMED = {
  code: 'malformed-command',
  message: 'The tap received something that is not a command.',
  advice: 'Reload the page: it may be older than the tap, or newer.',
};
