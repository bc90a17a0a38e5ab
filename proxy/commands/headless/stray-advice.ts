import { framingFault } from '@/lib/doctor/framing-faults';
import { brokenAnswer } from '@/lib/store/exchanges/unmatched-answers';

const BARE = 'It looks like a result without the JSON-RPC message around it.';

/** Matches the start of a message, in JSON or as a language prints an object. */
const MESSAGE = /^\W{0,20}jsonrpc["']?\s*[:=]|^\s*\{.{0,2000}["']jsonrpc["']\s*:/s;

/** True for text on stdout that begins a message which can't be read: over several lines, or not JSON. */
export function isTornMessage(first: string): boolean {
  return MESSAGE.test(first);
}

/** Returns what to do about output that is not MCP, by its start. `isTorn`: it is a message that can’t be read. */
export function strayAdvice(first: string, isTorn = isTornMessage(first)): string {
  const fault = framingFault(first);
  if (fault) return `${fault.what} ${fault.advice}`;
  if (isTorn && brokenAnswer(first)?.resultOf !== undefined) return BARE;
  return isTorn
    ? 'It looks like an MCP message. Print each message as JSON, on one line.'
    : 'Print logs to stderr instead.';
}
