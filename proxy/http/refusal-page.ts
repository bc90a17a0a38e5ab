import { type Decision, headerValues, type RequestFacts, type RouteShape } from './guard';
import { plainPage } from './plain-page';
import { publicUrlFor } from './public-url';
import { bareReply, type Reply } from './reply';

/**
 * The answer to a refused request: its status and nothing else. A person whose browser came by an address that we don't
 * know gets a page that names the option for it. It is the same for every address, but for this machine's own names, so
 * it tells a page that rebinds its name nothing but that we are here.
 */
export function refusalReply(refusal: Decision<RouteShape> & { readonly allow: false }, facts: RequestFacts): Reply {
  const forPeople = headerValues(facts, 'accept').some((types) => types.includes('text/html'));
  if (refusal.reason !== 'host-foreign' || !forPeople) return bareReply(refusal.status);
  const suggested = publicUrlFor(headerValues(facts, 'host')[0]!);
  const option = `--public-url ${suggested ?? 'https://HOST[:PORT][/PATH]'}`;
  const how =
    suggested === undefined
      ? 'Give the address as your browser shows it. If you did not set this address up, close this tab.'
      : 'Write <code>https://</code> if your browser shows it.';
  return plainPage(
    refusal.status,
    'mcp-inspect does not answer at this address',
    `<p>If this is your port mapping, tunnel or ingress, restart mcp-inspect with this option:</p><pre>${option}</pre><p>${how}</p><p>Then open the link that it prints in a new tab.</p>`,
  );
}
